#include "space_reservation.hpp"

#include <fcntl.h>

namespace regrove::store {

SpaceReservation::SpaceReservation(const std::string& path, std::uint64_t spare_bytes)
    : file_(path, O_WRONLY | O_CREAT, "write"), spare_bytes_(spare_bytes) {}

void SpaceReservation::require(std::uint64_t bytes) {
    const std::uint64_t needed = bytes + spare_bytes_;
    if (needed <= reserved_bytes_) return;
    file_.reserve(reserved_bytes_, needed - reserved_bytes_);
    reserved_bytes_ = needed;
}

void SpaceReservation::release() const { file_.drop_reserved(); }

}  // namespace regrove::store
