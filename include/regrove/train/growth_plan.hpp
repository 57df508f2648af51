// Which nodes to open: the pure bookkeeping of growth, the same on every rank.
//
// Growth goes in rounds so that the ranks talk seldom: a round evaluates every node made by the last one. Without a leaf
// limit all evaluated nodes are opened. With one, best-first growth opens the leaf of highest gain, again and again; the
// plan replays it from the start, opening unevaluated ground in batches: nodes that the replay takes while some children
// are still unknown are opened, evaluated in the next round, and the replay starts again. Opening a node that the final
// replay does not take costs time only: it is left out of the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/train/cart_options.hpp"

namespace regrove::train {

struct PlannedNode {
    std::uint32_t left = 0;  ///< child numbers; zero: not opened
    std::uint32_t right = 0;
    bool evaluated = false;
    bool splittable = false;   ///< evaluated, and found a question worth asking
    double weighted_gain = 0;  ///< gain times node weight: what best-first growth compares
};

/// Nodes to open next, ascending; empty when growth is over. `max_leaves` zero: no limit. Depth-first growth opens one
/// node at a time, of the youngest open ones the left, and knows no leaf limit.
std::vector<std::uint32_t> nodes_to_open(const std::vector<PlannedNode>& nodes, std::uint64_t max_leaves,
                                         GrowthOrder order = GrowthOrder::best_first);

/// Whether each node is an inner node of the final tree.
std::vector<bool> final_inner_nodes(const std::vector<PlannedNode>& nodes, std::uint64_t max_leaves);

}  // namespace regrove::train
