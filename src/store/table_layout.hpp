// Names and types of everything in a table file: docs/table-format.md in code.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/data/schema.hpp"
#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store::layout {

/// What kind of file it is: its attributes `format` and `version`, and its name in messages.
struct FileFormat {
    const char* name;
    std::int64_t version;
    const char* called;
};
constexpr FileFormat k_table_format{"regrove-table", 1, "Regrove table"};
constexpr FileFormat k_binned_format{"regrove-bins", 1, "kept binned table"};

// attributes of the file
constexpr const char* k_format = "format";
constexpr const char* k_version = "version";
constexpr const char* k_rows = "rows";
constexpr const char* k_columns = "columns";
constexpr const char* k_missing = "missing";
constexpr const char* k_content_hash = "content_hash";
// attributes of a column
constexpr const char* k_name = "name";
constexpr const char* k_type = "type";
constexpr const char* k_role = "role";
constexpr const char* k_hash = "hash";

constexpr const char* k_missing_text =
    "float32, float64: NaN; int32, int64: the smallest value; category: -1; text: the empty string";

constexpr const char* k_columns_group = "columns";
constexpr const char* k_dictionaries_group = "dictionaries";
std::string column_path(std::size_t column);
std::string dictionary_path(std::size_t column);

/// Bytes of a cell in memory and in a file that Regrove writes; zero for text.
std::size_t cell_bytes(data::ColumnType type);
/// The little-endian type in the file. Not for text.
hid_t file_type(data::ColumnType type);
hid_t memory_type(data::ColumnType type);

/// Rows of an HDF5 chunk: 65536, fewer where a block of all columns would take more than 64 MiB.
std::uint64_t chunk_rows(const data::Schema& schema);

}  // namespace regrove::store::layout
