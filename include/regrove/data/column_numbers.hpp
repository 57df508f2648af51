// All cells of a column as numbers, with one look at its type.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>

#include "regrove/data/sort_key.hpp"
#include "regrove/data/table.hpp"

namespace regrove::data {

/// Calls work(row, number) for each row in order, with the number that as_double gives.
template <class Work>
void for_each_number(ColumnType type, const ColumnValues& values, Work work) {
    constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
    const bool is_category = type == ColumnType::category;
    std::visit(
        [&](const auto& cells) {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            for (std::size_t row = 0; row < cells.size(); ++row) {
                if constexpr (std::is_same_v<Cell, std::string>) {
                    work(row, k_nan);
                } else if constexpr (std::is_same_v<Cell, std::int32_t>) {
                    const bool missing = is_category ? cells[row] == k_missing_category : !has_value(cells[row]);
                    work(row, missing ? k_nan : static_cast<double>(cells[row]));
                } else {
                    work(row, has_value(cells[row]) ? static_cast<double>(cells[row]) : k_nan);
                }
            }
        },
        values);
}

}  // namespace regrove::data
