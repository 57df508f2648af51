#include "regrove/binning/key_search.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace regrove::binning {

namespace {

/// Searches that go on side by side, so that one's wait for memory is filled by the others.
constexpr std::size_t k_lanes = 16;
constexpr std::size_t k_cells_an_element = 16;
constexpr std::size_t k_most_cells = std::size_t{1} << 17U;

}  // namespace

KeySearch::KeySearch(std::span<const std::uint64_t> sorted) : sorted_(sorted.begin(), sorted.end()) {
    if (!sorted.empty()) {
        lowest_ = sorted.front();
        range_ = sorted.back() - lowest_;
    }
    const std::size_t most_cells = std::min(k_most_cells, std::bit_ceil(k_cells_an_element * sorted.size() + 1));
    while ((range_ >> shift_) >= most_cells) ++shift_;
    cell_begin_.assign((range_ >> shift_) + 1, 0);
    // Counts of the cells, then the sums before them.
    for (const auto key : sorted) cell_begin_[cell_of(key)] += 1;
    std::uint32_t before = 0;
    for (auto& cell : cell_begin_) {
        most_in_a_cell_ = std::max<std::size_t>(most_in_a_cell_, cell);
        before += cell;
        cell = before - cell;
    }
    sorted_.resize(sorted.size() + most_in_a_cell_ + 1, ~std::uint64_t{0});
}

template <std::size_t Lanes>
void KeySearch::search(const std::uint64_t* keys, std::uint32_t* places) const {
    // Elements behind the key's cell are larger than the key, so that looking at a few of them does no harm.
    std::array<std::size_t, Lanes> at;
    for (std::size_t lane = 0; lane < Lanes; ++lane) at[lane] = cell_begin_[cell_of(keys[lane])];
    std::size_t length = most_in_a_cell_;
    while (length > 0) {
        const std::size_t half = (length + 1) / 2;
        for (std::size_t lane = 0; lane < Lanes; ++lane) {
            at[lane] += half * static_cast<std::size_t>(sorted_[at[lane] + half - 1] < keys[lane]);
        }
        length -= half;
    }
    for (std::size_t lane = 0; lane < Lanes; ++lane) places[lane] = static_cast<std::uint32_t>(at[lane]);
}

void KeySearch::count_smaller(std::span<const std::uint64_t> keys, std::span<std::uint32_t> places) const {
    if (most_in_a_cell_ == 0) {
        std::fill_n(places.begin(), keys.size(), 0U);
        return;
    }
    std::size_t i = 0;
    for (; i + k_lanes <= keys.size(); i += k_lanes) search<k_lanes>(&keys[i], &places[i]);
    for (; i < keys.size(); ++i) search<1>(&keys[i], &places[i]);
}

}  // namespace regrove::binning
