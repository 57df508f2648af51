// Disk space reserved ahead of HDF5's writes.
//
// An HDF5 file that cannot be flushed cannot be closed either, and HDF5 1.10 then crashes when the process ends. So a
// full disk must show before HDF5 meets it.
#pragma once

#include <cstdint>
#include <string>

#include "file_bytes.hpp"

namespace regrove::store {

class SpaceReservation {
  public:
    /// `spare_bytes` stay free behind whatever is required: for what HDF5 itself adds until the file is closed.
    SpaceReservation(const std::string& path, std::uint64_t spare_bytes);
    /// Makes sure that the file can grow to `bytes`; throws IoError with the system's reason. File systems that
    /// cannot reserve are trusted.
    void require(std::uint64_t bytes);
    /// Gives back what was reserved behind the end of the file.
    void release() const;

  private:
    OpenFile file_;
    std::uint64_t spare_bytes_;
    std::uint64_t reserved_bytes_ = 0;
};

}  // namespace regrove::store
