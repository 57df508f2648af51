// Scalar attributes of HDF5 objects: texts and integers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

void write_attribute(hid_t object, const char* name, std::string_view text);
void write_attribute(hid_t object, const char* name, std::int64_t value);

/// nullopt when there is no attribute of this name or it is no single text (variable- or fixed-length).
std::optional<std::string> read_text_attribute(hid_t object, const char* name);
/// nullopt when there is no attribute of this name or it is no single integer.
std::optional<std::int64_t> read_integer_attribute(hid_t object, const char* name);

}  // namespace regrove::store
