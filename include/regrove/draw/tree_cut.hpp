// Which nodes of a tree are drawn: all down to a level, with the figures of what lies below it.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/model/tree.hpp"

namespace regrove::draw {

constexpr std::uint32_t k_not_drawn = 0xffffffffU;

/// A node that is drawn. Children are indices into TreeCut::nodes.
struct DrawnNode {
    NodeId id = k_no_node;
    std::uint32_t depth = 0;
    std::uint32_t left = k_not_drawn;
    std::uint32_t right = k_not_drawn;
    std::uint64_t hidden_nodes = 0;  ///< below this node and not drawn
    std::uint64_t hidden_leaves = 0;
    std::uint32_t leaf_number = 0;  ///< of a leaf: from left to right over the whole tree, from zero
    bool has_children() const { return left != k_not_drawn; }
};

struct TreeCut {
    std::vector<DrawnNode> nodes;  ///< in pre-order
    std::uint64_t tree_nodes = 0;
    std::uint64_t tree_leaves = 0;
    std::uint32_t tree_depth = 0;
    std::uint32_t drawn_depth = 0;
    bool complete() const { return nodes.size() == tree_nodes; }
};

/// The deepest level at which the picture still has no more boxes side by side and no more levels than a person can
/// follow; the tree's depth when all of it can be drawn.
std::uint32_t readable_depth(const model::Tree& tree);

/// The nodes down to `max_depth` edges below the root. O(nodes of the tree).
TreeCut cut_tree(const model::Tree& tree, std::uint32_t max_depth);

}  // namespace regrove::draw
