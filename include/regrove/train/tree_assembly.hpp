// From a growth plan to a tree in pre-order; and the rules by which a node may be split at all.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "regrove/model/tree.hpp"
#include "regrove/train/cart_options.hpp"
#include "regrove/train/growth_plan.hpp"
#include "regrove/train/target.hpp"

namespace regrove::train {

/// `make_node(number, inner)` gives the node of a planned number, without children.
model::Tree assemble_tree(const std::vector<PlannedNode>& plan, std::uint64_t max_leaves,
                          const std::function<model::Node(std::uint32_t, bool)>& make_node);

/// A subtree and the leaf in whose place it stands.
struct Graft {
    NodeId leaf = k_no_node;
    model::Tree subtree;
};

/// The tree with subtrees in the place of leaves; `grafts` ascend by leaf.
model::Tree graft(const model::Tree& tree, std::vector<Graft> grafts);

/// Whether all rows are alike.
bool is_pure(const NodeFigures& figures, const StatisticsLayout& layout, Statistics totals, const SquareSum& squares);

/// By depth, rows and purity. `Node` has depth, totals and squares.
template <class Node>
bool may_split(const CartOptions& options, const NodeFigures& figures, const StatisticsLayout& layout,
               const Node& node) {
    if (options.max_depth != 0 && node.depth >= options.max_depth) return false;
    const std::uint64_t node_rows = rows(layout, node.totals);
    if (node_rows < options.min_rows_split || node_rows < 2 * options.min_rows_leaf) return false;
    return !is_pure(figures, layout, node.totals, node.squares);
}

}  // namespace regrove::train
