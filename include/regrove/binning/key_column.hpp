// A numeric column read as sort keys, in blocks that fit the first cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "regrove/data/table.hpp"

namespace regrove::binning {

/// What stands in place of the key of a cell without a value; no value has this key (data/sort_key.hpp).
constexpr std::uint64_t k_no_key = 0;
constexpr std::size_t k_block_rows = 512;

/// Rows [begin, end) of a rank.
struct RowRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// A rank's cells of a numeric feature, and the rows that take no part (empty: none).
struct KeyColumn {
    const data::ColumnValues& values;
    const std::vector<bool>& left_out;
};

/// 32 for float32 and int32 columns, whose keys are widened; else 64. Throws InternalError for text.
unsigned key_bits(const data::ColumnValues& values);

/// The value that this key of the column stands for, as a double.
double key_value(const data::ColumnValues& values, std::uint64_t key);

/// The keys of keys.size() rows from `begin` on, k_no_key for those without a value.
void read_keys(const data::ColumnValues& values, std::size_t begin, std::span<std::uint64_t> keys);

/// Moves the keys of values in rows that take part to the front, in order; returns how many. keys[i] is of row
/// begin + i.
std::size_t keep_taking_part(std::span<std::uint64_t> keys, const std::vector<bool>& left_out, std::size_t begin);

/// Calls visit(std::span<const std::uint64_t>) with the keys of all rows of the range that count, in blocks of at most
/// k_block_rows; visit returns whether to go on.
template <class Visit>
void visit_keys(const KeyColumn& column, RowRange rows, Visit visit) {
    std::array<std::uint64_t, k_block_rows> keys;
    for (std::size_t begin = rows.begin; begin < rows.end; begin += k_block_rows) {
        const std::span block(keys.data(), std::min(k_block_rows, rows.end - begin));
        read_keys(column.values, begin, block);
        const std::size_t count = keep_taking_part(block, column.left_out, begin);
        if (!visit(std::span<const std::uint64_t>(keys.data(), count))) return;
    }
}

}  // namespace regrove::binning
