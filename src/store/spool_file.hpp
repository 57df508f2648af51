// A nameless file that holds parcels of bytes until they are wanted; the kernel removes it whatever happens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "file_bytes.hpp"

namespace regrove::store {

/// Parcels are appended and read back by number. The file is made at the first append, as `name`, which vanishes at
/// once.
class SpoolFile {
  public:
    explicit SpoolFile(std::string name) : name_(std::move(name)) {}

    std::uint64_t size() const { return ends_.size(); }
    /// Throws IoError.
    void append(std::string_view parcel);
    std::string read(std::uint64_t number) const;

  private:
    std::string name_;
    OpenFile file_;
    std::vector<std::uint64_t> ends_;  ///< offset behind each parcel
};

}  // namespace regrove::store
