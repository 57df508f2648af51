// In pre-order a subtree is a run of nodes, so a cut skips a run.
#include "regrove/prune/cut_nodes.hpp"

#include <vector>

namespace regrove::prune {
namespace {

/// For each node, the first node behind its subtree.
std::vector<std::uint32_t> subtree_ends(const model::Tree& tree) {
    std::vector<std::uint32_t> ends(tree.nodes.size());
    for (std::size_t i = ends.size(); i-- > 0;) {
        const model::Node& node = tree.nodes[i];
        ends[i] = node.is_leaf() ? static_cast<std::uint32_t>(i + 1) : ends[index(node.right)];
    }
    return ends;
}

model::Node as_leaf(const model::Node& inner) {
    model::Node leaf;
    leaf.rows = inner.rows;
    leaf.weight = inner.weight;
    leaf.impurity = inner.impurity;
    leaf.value = inner.value;
    return leaf;
}

}  // namespace

model::Tree cut_nodes(const model::Tree& tree, std::span<const NodeId> nodes) {
    std::vector<bool> cut(tree.nodes.size());
    for (const NodeId node : nodes) cut[index(node)] = !tree.node(node).is_leaf();
    const std::vector<std::uint32_t> ends = subtree_ends(tree);
    std::vector<std::uint32_t> new_id(tree.nodes.size());
    model::Tree pruned;
    for (std::uint32_t i = 0; i < tree.nodes.size(); i = cut[i] ? ends[i] : i + 1) {
        new_id[i] = static_cast<std::uint32_t>(pruned.nodes.size());
        pruned.nodes.push_back(cut[i] ? as_leaf(tree.nodes[i]) : tree.nodes[i]);
    }
    for (model::Node& node : pruned.nodes) {
        if (node.is_leaf()) continue;
        node.left = NodeId{new_id[index(node.left)]};
        node.right = NodeId{new_id[index(node.right)]};
    }
    return pruned;
}

}  // namespace regrove::prune
