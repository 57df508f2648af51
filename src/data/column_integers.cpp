// A mark or a place for each integer between the smallest and the largest where those are few; else a search.
#include "regrove/data/column_integers.hpp"

#include <algorithm>
#include <set>
#include <type_traits>
#include <variant>

namespace regrove::data {

namespace {

/// The most integers that get a mark each.
constexpr std::uint64_t k_most_marks = 65536;

/// Integers between two, both included; the numbers are within 2^62.
std::uint64_t width(std::int64_t low, std::int64_t high) { return static_cast<std::uint64_t>(high - low) + 1; }

/// Calls work(cells) of an integer column.
template <class Work>
void with_integers(const ColumnValues& values, Work work) {
    std::visit(
        [&](const auto& cells) {
            if constexpr (std::is_integral_v<typename std::decay_t<decltype(cells)>::value_type>) work(cells);
        },
        values);
}

template <class Cell>
std::vector<std::int64_t> distinct_by_marks(const std::vector<Cell>& cells, std::int64_t low, std::int64_t high) {
    std::vector<std::uint8_t> marks(width(low, high), 0);
    for (const Cell cell : cells) marks[static_cast<std::size_t>(std::int64_t{cell} - low)] = 1;
    std::vector<std::int64_t> distinct;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (marks[i] != 0) distinct.push_back(low + static_cast<std::int64_t>(i));
    }
    return distinct;
}

template <class Cell>
std::vector<std::int64_t> distinct_by_search(const std::vector<Cell>& cells, std::size_t most) {
    std::set<std::int64_t> distinct;
    for (const Cell cell : cells) {
        if (distinct.size() > most) break;
        distinct.insert(cell);
    }
    return {distinct.begin(), distinct.end()};
}

}  // namespace

std::vector<std::int64_t> distinct_integers(const ColumnValues& values, std::size_t most) {
    std::vector<std::int64_t> distinct;
    with_integers(values, [&](const auto& cells) {
        if (cells.empty()) return;
        const auto [low, high] = std::minmax_element(cells.begin(), cells.end());
        distinct = width(*low, *high) <= k_most_marks ? distinct_by_marks(cells, *low, *high)
                                                      : distinct_by_search(cells, most);
    });
    return distinct;
}

void places_of_integers(const ColumnValues& values, std::span<const std::int64_t> integers,
                        std::span<std::uint32_t> places) {
    if (integers.empty()) return;
    const std::int64_t low = integers.front();
    std::vector<std::uint32_t> place_of;
    if (width(low, integers.back()) <= k_most_marks) {
        place_of.resize(width(low, integers.back()));
        for (std::uint32_t i = 0; i < integers.size(); ++i) place_of[static_cast<std::size_t>(integers[i] - low)] = i;
    }
    with_integers(values, [&](const auto& cells) {
        for (std::size_t row = 0; row < cells.size(); ++row) {
            const std::int64_t cell = cells[row];
            places[row] = !place_of.empty()
                              ? place_of[static_cast<std::size_t>(cell - low)]
                              : static_cast<std::uint32_t>(std::lower_bound(integers.begin(), integers.end(), cell) -
                                                           integers.begin());
        }
    });
}

}  // namespace regrove::data
