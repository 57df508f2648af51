// The order of a column's cells: keys that sort like the values, and a stable radix sort of (key, row).
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/data/sort_key.hpp"
#include "regrove/data/table.hpp"

namespace regrove::train {

using data::sort_key;

template <class Key>
struct KeyedRow {
    Key key;
    std::uint32_t row;
};

/// Stable, by key; digits of 11 bits, those that all keys share are skipped. `scratch` is resized as needed.
template <class Key>
void radix_sort(std::vector<KeyedRow<Key>>& entries, std::vector<KeyedRow<Key>>& scratch);

/// The rows with a value, ascending (equal values by row), and the rows without, ascending.
template <class Key>
struct ColumnOrder {
    std::vector<KeyedRow<Key>> entries;
    std::vector<std::uint32_t> missing;
};

/// Numeric columns only. Float32 and int32 columns have 32-bit keys, the others 64-bit ones.
ColumnOrder<std::uint32_t> order_column(const std::vector<float>& values);
ColumnOrder<std::uint32_t> order_column(const std::vector<std::int32_t>& values);
ColumnOrder<std::uint64_t> order_column(const std::vector<double>& values);
ColumnOrder<std::uint64_t> order_column(const std::vector<std::int64_t>& values);

}  // namespace regrove::train
