// Weights as they are, or counts summed from the leaves upwards.
#include "regrove/algebra/tree_covers.hpp"

#include <cmath>

namespace regrove::algebra {

namespace {

bool has_weights(const model::Tree& tree) {
    if (!(tree.nodes.front().weight > 0)) return false;
    for (const model::Node& node : tree.nodes) {
        if (!std::isfinite(node.weight) || node.weight < 0) return false;
        if (node.is_leaf() || node.weight == 0) continue;
        if (!(tree.node(node.left).weight + tree.node(node.right).weight > 0)) return false;
    }
    return true;
}

/// Children come after their parents.
void sum_upwards(const model::Tree& tree, std::uint64_t* counts) {
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const model::Node& node = tree.nodes[i];
        if (!node.is_leaf()) counts[i] = counts[index(node.left)] + counts[index(node.right)];
    }
}

}  // namespace

TreeCovers training_covers(const model::Ensemble& ensemble) {
    TreeCovers covers;
    for (const model::Tree& tree : ensemble.trees) {
        if (!has_weights(tree)) return {};
        covers.emplace_back();
        for (const model::Node& node : tree.nodes) covers.back().push_back(node.weight);
    }
    return covers;
}

std::vector<std::uint64_t> count_covers(const model::Ensemble& ensemble, const std::vector<NodeId>& leaves) {
    std::vector<std::size_t> begins{0};
    for (const model::Tree& tree : ensemble.trees) begins.push_back(begins.back() + tree.nodes.size());
    std::vector<std::uint64_t> counts(begins.back());
    const std::size_t trees = ensemble.trees.size();
    for (std::size_t i = 0; i < leaves.size(); ++i) ++counts[begins[i % trees] + index(leaves[i])];
    for (std::size_t t = 0; t < trees; ++t) sum_upwards(ensemble.trees[t], counts.data() + begins[t]);
    return counts;
}

TreeCovers covers_of_counts(const model::Ensemble& ensemble, const std::vector<std::uint64_t>& counts) {
    TreeCovers covers;
    std::size_t next = 0;
    for (const model::Tree& tree : ensemble.trees) {
        covers.emplace_back();
        for (std::size_t i = 0; i < tree.nodes.size(); ++i)
            covers.back().push_back(static_cast<double>(counts[next++]));
    }
    return covers;
}

}  // namespace regrove::algebra
