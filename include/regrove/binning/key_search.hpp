// The place of many keys in one sorted list, without a branch that a processor could guess wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace regrove::binning {

/// The range of the list's keys is cut into equal cells, and the search starts in the key's cell. It takes
/// ceil(log2(m + 1)) comparisons a key, where m is the most elements that one cell holds: two or three for a list of
/// quantiles, and never more than a search without cells.
class KeySearch {
  public:
    /// Copies `sorted` (ascending); takes time and memory in proportion to it.
    explicit KeySearch(std::span<const std::uint64_t> sorted);

    /// places[i] = how many elements of the list are smaller than keys[i]; places is as long as keys.
    void count_smaller(std::span<const std::uint64_t> keys, std::span<std::uint32_t> places) const;

  private:
    template <std::size_t Lanes>
    void search(const std::uint64_t* keys, std::uint32_t* places) const;
    // Here, because a function of a position-independent library is only inlined when its class holds it.
    std::size_t cell_of(std::uint64_t key) const {
        const std::uint64_t above = key > lowest_ ? key - lowest_ : 0;
        return static_cast<std::size_t>(std::min(above, range_) >> shift_);
    }

    std::vector<std::uint64_t> sorted_;  ///< and behind it as many largest keys as a search may look at
    std::uint64_t lowest_ = 0;
    std::uint64_t range_ = 0;
    unsigned shift_ = 0;                     ///< a cell is 2^shift_ keys wide
    std::vector<std::uint32_t> cell_begin_;  ///< elements of the list before each cell
    std::size_t most_in_a_cell_ = 0;
};

}  // namespace regrove::binning
