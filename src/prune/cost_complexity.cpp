// Weakest links, one at a time. All additions are in the order that scikit-learn makes them in.
#include "regrove/prune/cost_complexity.hpp"

#include <limits>

#include "regrove/prune/cut_nodes.hpp"

#include "smallest_first.hpp"

namespace regrove::prune {
namespace {

constexpr std::uint32_t k_none = std::numeric_limits<std::uint32_t>::max();

/// The tree as cut so far.
class WeakestLinks {
  public:
    explicit WeakestLinks(const model::Tree& tree)
        : tree_(tree),
          parent_(tree.nodes.size(), k_none),
          leaf_(tree.nodes.size()),
          leaves_(tree.nodes.size()),
          own_(tree.nodes.size()),
          branch_(tree.nodes.size()),
          alphas_(tree.nodes.size()) {
        const double total = tree.nodes[0].weight;
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
            const model::Node& node = tree.nodes[i];
            own_[i] = total > 0 ? node.weight * node.impurity / total : 0;
            leaf_[i] = node.is_leaf();
            if (leaf_[i]) continue;
            parent_[index(node.left)] = i;
            parent_[index(node.right)] = i;
        }
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
            if (leaf_[i]) add_leaf(i);
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
            if (!leaf_[i]) rate(i);
    }

    bool done() const { return leaf_[0]; }
    std::uint32_t leaves() const { return leaves_[0]; }
    double impurity() const { return branch_[0]; }

    /// Cuts the weakest link.
    PathStep cut() {
        const auto node = static_cast<std::uint32_t>(alphas_.first());
        const double alpha = alphas_.value(node);
        forget_below(node);
        leaf_[node] = true;
        alphas_.set(node, std::numeric_limits<double>::infinity());
        const std::uint32_t leaves_saved = leaves_[node] - 1;
        const double added = own_[node] - branch_[node];
        leaves_[node] = 1;
        branch_[node] = own_[node];
        for (std::uint32_t above = parent_[node]; above != k_none; above = parent_[above]) {
            leaves_[above] -= leaves_saved;
            branch_[above] += added;
            rate(above);
        }
        return {alpha, NodeId{node}, leaves(), impurity()};
    }

  private:
    void add_leaf(std::uint32_t leaf) {
        leaves_[leaf] = 1;
        branch_[leaf] = own_[leaf];
        for (std::uint32_t above = parent_[leaf]; above != k_none; above = parent_[above]) {
            ++leaves_[above];
            branch_[above] += own_[leaf];
        }
    }

    void rate(std::uint32_t node) { alphas_.set(node, (own_[node] - branch_[node]) / (leaves_[node] - 1)); }

    void forget_below(std::uint32_t node) {
        std::vector<std::uint32_t> inner{node};
        while (!inner.empty()) {
            const model::Node& top = tree_.nodes[inner.back()];
            inner.pop_back();
            for (const std::uint32_t child : {index(top.left), index(top.right)}) {
                if (leaf_[child]) continue;
                alphas_.set(child, std::numeric_limits<double>::infinity());
                inner.push_back(child);
            }
        }
    }

    const model::Tree& tree_;
    std::vector<std::uint32_t> parent_;
    std::vector<bool> leaf_;
    std::vector<std::uint32_t> leaves_;  ///< of each subtree
    std::vector<double> own_;            ///< R of the node as a leaf
    std::vector<double> branch_;         ///< R of its subtree
    SmallestFirst alphas_;               ///< infinite at leaves and below cut nodes
};

}  // namespace

CostComplexityPath cost_complexity_path(const model::Tree& tree) {
    WeakestLinks links(tree);
    CostComplexityPath path{links.leaves(), links.impurity(), {}};
    while (!links.done()) path.steps.push_back(links.cut());
    return path;
}

std::size_t steps_taken(const CostComplexityPath& path, double ccp_alpha) {
    std::size_t taken = 0;
    if (!(ccp_alpha > 0)) return taken;
    while (taken < path.steps.size() && path.steps[taken].alpha <= ccp_alpha) ++taken;
    return taken;
}

model::Tree pruned_tree(const model::Tree& tree, const CostComplexityPath& path, double ccp_alpha) {
    std::vector<NodeId> nodes;
    const std::size_t taken = steps_taken(path, ccp_alpha);
    for (std::size_t i = 0; i < taken; ++i) nodes.push_back(path.steps[i].node);
    return cut_nodes(tree, nodes);
}

std::vector<CostComplexityPath> cost_complexity_paths(const model::Ensemble& ensemble) {
    std::vector<CostComplexityPath> paths;
    for (const model::Tree& tree : ensemble.trees) paths.push_back(cost_complexity_path(tree));
    return paths;
}

model::Ensemble pruned_ensemble(const model::Ensemble& ensemble, const std::vector<CostComplexityPath>& paths,
                                double ccp_alpha) {
    model::Ensemble pruned = ensemble;
    for (std::size_t i = 0; i < pruned.trees.size(); ++i)
        pruned.trees[i] = pruned_tree(ensemble.trees[i], paths[i], ccp_alpha);
    return pruned;
}

}  // namespace regrove::prune
