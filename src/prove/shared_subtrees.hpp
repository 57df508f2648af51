// Which subtrees of two forests are the same function, so that boxes where both add up the same scores need no proof.
#pragma once

#include <cstdint>
#include <vector>

#include "reach_state.hpp"
#include "search_forest.hpp"

namespace regrove::prove {

/// Compares tree t of one forest with tree t of the other. Without trees to compare (other numbers of trees, other
/// divisors) nothing is shared.
class SharedSubtrees {
  public:
    SharedSubtrees(const SearchForest& first, const SearchForest& second);

    /// Whether all trees, as far as the levels' boxes reach them, are the same. `apart` gets the numbers of those
    /// that are not, unless nothing can be compared.
    bool all_same(const ReachState& first, const ReachState& second, std::size_t level,
                  std::vector<std::uint32_t>& apart) const;

  private:
    /// A tree, a node: equal for equal subtrees of both forests.
    std::vector<std::vector<std::uint32_t>> first_;
    std::vector<std::vector<std::uint32_t>> second_;
};

}  // namespace regrove::prove
