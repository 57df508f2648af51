#include "regrove/binning/key_column.hpp"

#include <type_traits>
#include <variant>

#include "regrove/core/check.hpp"
#include "regrove/data/sort_key.hpp"

namespace regrove::binning {

namespace {

/// Calls act(cells) with the vector of numbers.
template <class Act>
void with_numbers(const data::ColumnValues& values, Act act) {
    std::visit(
        [&](const auto& cells) {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            if constexpr (std::is_arithmetic_v<Cell>) {
                act(cells);
            } else {
                REGROVE_CHECK(!"a text column has no keys");
            }
        },
        values);
}

}  // namespace

unsigned key_bits(const data::ColumnValues& values) {
    unsigned bits = 0;
    with_numbers(values, [&](const auto& cells) { bits = 8 * sizeof cells[0]; });
    return bits;
}

double key_value(const data::ColumnValues& values, std::uint64_t key) {
    double value = 0;
    with_numbers(values, [&](const auto& cells) {
        using Cell = typename std::decay_t<decltype(cells)>::value_type;
        using Key = decltype(data::sort_key(Cell{}));
        value = static_cast<double>(data::value_of_key(static_cast<Key>(key), Cell{}));
    });
    return value;
}

void read_keys(const data::ColumnValues& values, std::size_t begin, std::span<std::uint64_t> keys) {
    with_numbers(values, [&](const auto& cells) {
        const auto* const from = cells.data() + begin;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::uint64_t key = data::sort_key(from[i]);
            keys[i] = data::has_value(from[i]) ? key : k_no_key;
        }
    });
}

std::size_t keep_taking_part(std::span<std::uint64_t> keys, const std::vector<bool>& left_out, std::size_t begin) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool counts = keys[i] != k_no_key && (left_out.empty() || !left_out[begin + i]);
        keys[count] = keys[i];
        count += counts ? 1 : 0;
    }
    return count;
}

}  // namespace regrove::binning
