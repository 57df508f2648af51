// Grows one tree of a forest from a binned table that is all in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/model/tree.hpp"
#include "regrove/train/cart_options.hpp"
#include "regrove/train/forest_random.hpp"
#include "regrove/train/target.hpp"

namespace regrove::train {

/// What the trees of a forest share; refers to tables that must outlive it.
struct BinnedForest {
    const binning::BinnedTable& table;
    const Target& target;
    const CartOptions& cart;
    std::uint32_t features_a_node = 1;  ///< drawn in each node; when none of them gains, others follow in turn
    bool extra_random = false;
    std::uint64_t seed = 0;
};

/// Where growth starts: a tree's root, or a node inside one.
struct BinnedStart {
    std::vector<std::uint32_t> rows;  ///< those of the node, ascending
    NodeRandom random;
    std::uint32_t depth = 0;
    std::int64_t tree_weight = 0;  ///< of all rows of the tree, in units
};

/// The subtree under a node; the same nodes as in the whole tree.
model::Tree grow_binned_subtree(const BinnedForest& forest, BinnedStart start,
                                const std::vector<std::uint32_t>& multiplicities, bool threads_inside);

/// Tree number `tree` of the forest. `multiplicities`: how often each row is drawn; zero leaves it out. `threads_inside`:
/// let several threads work on this tree. Time O(rows * features_a_node + nodes * bins) a level.
model::Tree grow_binned_tree(const BinnedForest& forest, std::uint64_t tree,
                             const std::vector<std::uint32_t>& multiplicities, bool threads_inside);

}  // namespace regrove::train
