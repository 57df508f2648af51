// Groups and one-dimensional datasets without time stamps, so that equal contents are equal files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

/// Creation properties without time stamps.
Hdf5Handle untimed(hid_t of_class);
void create_group(hid_t file, const char* name);
Hdf5Handle create_dataset(hid_t file, const std::string& name, hid_t type, std::uint64_t size, hid_t properties);
/// Chunks behind shuffle, deflate and Fletcher32.
void set_filters(hid_t properties, hsize_t chunk, int level);
/// Texts in fields of fixed length; always compressed, since the fields are as long as the longest text.
Hdf5Handle create_texts(hid_t file, const std::string& name, std::uint64_t count, std::size_t field_bytes);
/// Creates and fills.
void write_new_texts(hid_t file, const std::string& name, const std::vector<std::string>& texts);
/// One piece in the file, whose place is known at once (H5Dget_offset) when there are elements.
Hdf5Handle create_contiguous(hid_t file, const std::string& name, hid_t type, std::uint64_t size);

}  // namespace regrove::store
