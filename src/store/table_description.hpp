// What a file says of its columns, for tables and for files that hold more than a table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "regrove/store/hdf5_handle.hpp"
#include "regrove/store/table_file.hpp"

#include "table_layout.hpp"

namespace regrove::store {

/// Throws FormatError when the file is of another format or its description makes no sense.
TableFileInfo read_description(const std::string& path, hid_t file, const layout::FileFormat& format);

std::string to_bytes(const TableFileInfo& info);
/// The inverse, of the front of `bytes`.
TableFileInfo info_from_bytes(std::string_view bytes);

/// 32 hexadecimal digits, or zero when there is no such attribute; throws FormatError on other texts.
Hash128 read_hash(const std::string& path, hid_t object, const char* name);
std::uint64_t need_count(const std::string& path, hid_t object, const char* name);
[[noreturn]] void refuse(const std::string& path, const std::string& why);
/// Size of a one-dimensional dataset; nullopt for other shapes.
std::optional<std::uint64_t> line_size(hid_t dataset);

}  // namespace regrove::store
