// The cost-complexity path of a tree: which subtree is worth least for its size, and which next, down to the root.
//
// Glossary of the module:
//   R(T)              impurity of a tree: the sum over its leaves of impurity * weight / weight of the root
//   effective alpha   of an inner node t: what cutting below t adds to R for each leaf saved,
//                     (R(t) - R(subtree of t)) / (leaves of the subtree - 1)
//   weakest link      the inner node of the smallest effective alpha
//   cut               an inner node becomes a leaf with its own value; what lies below is gone
//   level             the path's steps of one alpha, rounding apart
// Source: Breiman, Friedman, Olshen and Stone, "Classification and regression trees" (1984), section 3.3.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::prune {

/// One cut of the path, and the tree that it leaves.
struct PathStep {
    double alpha = 0;  ///< effective alpha of `node` at the time
    NodeId node = k_no_node;
    std::uint32_t leaves = 0;
    double impurity = 0;
};

struct CostComplexityPath {
    std::uint32_t leaves = 0;  ///< of the whole tree
    double impurity = 0;
    std::vector<PathStep> steps;  ///< the last leaves the root alone; alphas rise, rounding apart
};

/// One weakest link at a time, of equal ones the first in pre-order, in the arithmetic of scikit-learn, so that both
/// break ties alike: the figures are those of its cost_complexity_pruning_path to the last bit, for the same tree.
/// O(n depth log n) for n nodes: a cut changes the effective alpha of each ancestor.
CostComplexityPath cost_complexity_path(const model::Tree& tree);

/// How many of the path's steps are taken at `ccp_alpha`: those before the first whose effective alpha is greater. None
/// at 0, which means "do not prune" (both as in scikit-learn).
std::size_t steps_taken(const CostComplexityPath& path, double ccp_alpha);

/// The tree pruned at `ccp_alpha`.
model::Tree pruned_tree(const model::Tree& tree, const CostComplexityPath& path, double ccp_alpha);

/// The paths of all trees.
std::vector<CostComplexityPath> cost_complexity_paths(const model::Ensemble& ensemble);

/// Every tree pruned by itself at the same alpha; all else stays.
model::Ensemble pruned_ensemble(const model::Ensemble& ensemble, const std::vector<CostComplexityPath>& paths,
                                double ccp_alpha);

}  // namespace regrove::prune
