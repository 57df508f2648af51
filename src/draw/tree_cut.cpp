// One pass up the tree for the sizes below each node, one pass down for what is drawn.
#include "regrove/draw/tree_cut.hpp"

#include <algorithm>

namespace regrove::draw {
namespace {

// What one still follows with a finger, and what keeps a PNG of twice the size within its limits.
constexpr std::uint64_t k_most_side_by_side = 64;  // cards without children below them
constexpr std::uint32_t k_most_levels = 64;

struct SubtreeSizes {
    std::vector<std::uint64_t> nodes;
    std::vector<std::uint64_t> leaves;
};

SubtreeSizes subtree_sizes(const model::Tree& tree) {
    SubtreeSizes sizes{std::vector<std::uint64_t>(tree.nodes.size(), 1),
                       std::vector<std::uint64_t>(tree.nodes.size(), 1)};
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const model::Node& node = tree.nodes[i];
        if (node.is_leaf()) continue;
        sizes.nodes[i] = 1 + sizes.nodes[index(node.left)] + sizes.nodes[index(node.right)];
        sizes.leaves[i] = sizes.leaves[index(node.left)] + sizes.leaves[index(node.right)];
    }
    return sizes;
}

std::vector<std::uint32_t> node_depths(const model::Tree& tree) {
    std::vector<std::uint32_t> depths(tree.nodes.size(), 0);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (tree.nodes[i].is_leaf()) continue;
        depths[index(tree.nodes[i].left)] = depths[i] + 1;
        depths[index(tree.nodes[i].right)] = depths[i] + 1;
    }
    return depths;
}

}  // namespace

std::uint32_t readable_depth(const model::Tree& tree) {
    const std::vector<std::uint32_t> depths = node_depths(tree);
    const std::uint32_t deepest = *std::max_element(depths.begin(), depths.end());
    std::vector<std::uint64_t> nodes_at(deepest + 1, 0);
    std::vector<std::uint64_t> leaves_at(deepest + 1, 0);
    for (std::size_t i = 0; i < depths.size(); ++i) {
        ++nodes_at[depths[i]];
        leaves_at[depths[i]] += tree.nodes[i].is_leaf() ? 1 : 0;
    }
    // Cut at depth d, the cards without children are all nodes at d and the leaves above.
    std::uint32_t depth = 0;
    std::uint64_t leaves_above = 0;
    while (depth < deepest && depth < k_most_levels) {
        leaves_above += leaves_at[depth];
        if (leaves_above + nodes_at[depth + 1] > k_most_side_by_side) break;
        ++depth;
    }
    return depth;
}

TreeCut cut_tree(const model::Tree& tree, std::uint32_t max_depth) {
    const SubtreeSizes sizes = subtree_sizes(tree);
    const std::vector<std::uint32_t> depths = node_depths(tree);
    TreeCut cut;
    cut.tree_nodes = tree.nodes.size();
    cut.tree_leaves = sizes.leaves.front();
    cut.tree_depth = *std::max_element(depths.begin(), depths.end());
    cut.drawn_depth = std::min(max_depth, cut.tree_depth);

    std::vector<std::uint32_t> drawn_as(tree.nodes.size(), k_not_drawn);
    std::uint32_t leaves_before = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const std::uint32_t leaf_number = tree.nodes[i].is_leaf() ? leaves_before++ : 0;
        if (depths[i] > max_depth) continue;
        drawn_as[i] = static_cast<std::uint32_t>(cut.nodes.size());
        cut.nodes.push_back({NodeId{static_cast<std::uint32_t>(i)}, depths[i]});
        cut.nodes.back().leaf_number = leaf_number;
    }
    for (DrawnNode& drawn : cut.nodes) {
        const model::Node& node = tree.node(drawn.id);
        if (node.is_leaf()) continue;
        drawn.left = drawn_as[index(node.left)];
        drawn.right = drawn_as[index(node.right)];
        if (drawn.has_children()) continue;
        drawn.hidden_nodes = sizes.nodes[index(drawn.id)] - 1;
        drawn.hidden_leaves = sizes.leaves[index(drawn.id)];
    }
    return cut;
}

}  // namespace regrove::draw
