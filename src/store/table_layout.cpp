#include "table_layout.hpp"

#include "regrove/core/check.hpp"

namespace regrove::store::layout {

using data::ColumnType;

std::string column_path(std::size_t column) { return "columns/" + std::to_string(column); }
std::string dictionary_path(std::size_t column) { return "dictionaries/" + std::to_string(column); }

std::size_t cell_bytes(ColumnType type) {
    switch (type) {
        case ColumnType::float32:
        case ColumnType::int32:
        case ColumnType::category:
            return 4;
        case ColumnType::float64:
        case ColumnType::int64:
            return 8;
        case ColumnType::text:
            return 0;
    }
    REGROVE_CHECK(false);
}

hid_t file_type(ColumnType type) {
    switch (type) {
        case ColumnType::float32:
            return H5T_IEEE_F32LE;
        case ColumnType::float64:
            return H5T_IEEE_F64LE;
        case ColumnType::int32:
        case ColumnType::category:
            return H5T_STD_I32LE;
        case ColumnType::int64:
            return H5T_STD_I64LE;
        case ColumnType::text:
            break;
    }
    REGROVE_CHECK(false);
}

hid_t memory_type(ColumnType type) {
    switch (type) {
        case ColumnType::float32:
            return H5T_NATIVE_FLOAT;
        case ColumnType::float64:
            return H5T_NATIVE_DOUBLE;
        case ColumnType::int32:
        case ColumnType::category:
            return H5T_NATIVE_INT32;
        case ColumnType::int64:
            return H5T_NATIVE_INT64;
        case ColumnType::text:
            break;
    }
    REGROVE_CHECK(false);
}

std::uint64_t chunk_rows(const data::Schema& schema) {
    constexpr std::uint64_t k_most_rows = 65536;
    constexpr std::uint64_t k_fewest_rows = 1024;
    constexpr std::uint64_t k_block_bytes = std::uint64_t{64} << 20U;
    std::uint64_t row_bytes = 0;
    for (const auto& column : schema.columns) row_bytes += cell_bytes(column.type);
    std::uint64_t rows = k_most_rows;
    while (rows > k_fewest_rows && rows * row_bytes > k_block_bytes) rows /= 2;
    return rows;
}

}  // namespace regrove::store::layout
