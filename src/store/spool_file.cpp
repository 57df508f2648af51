#include "spool_file.hpp"

#include <fcntl.h>

#include "regrove/core/check.hpp"

namespace regrove::store {

void SpoolFile::append(std::string_view parcel) {
    if (!file_) {
        file_ = OpenFile(name_, O_RDWR | O_CREAT | O_TRUNC, "write", 0600);
        file_.unlink();
    }
    const std::uint64_t begin = ends_.empty() ? 0 : ends_.back();
    file_.write_at(begin, parcel.data(), parcel.size());
    ends_.push_back(begin + parcel.size());
}

std::string SpoolFile::read(std::uint64_t number) const {
    REGROVE_CHECK(number < ends_.size());
    const std::uint64_t begin = number == 0 ? 0 : ends_[number - 1];
    std::string parcel(ends_[number] - begin, '\0');
    file_.read_at(begin, parcel.data(), parcel.size());
    return parcel;
}

}  // namespace regrove::store
