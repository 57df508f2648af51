// Reduced-error pruning: bottom-up, a subtree goes when the leaf in its place makes no more errors on rows that training
// has not seen.
//
// Source: Quinlan, "Simplifying decision trees" (1987), section 2.3.
#pragma once

#include <cstddef>
#include <vector>

#include "regrove/core/exact_sum.hpp"
#include "regrove/model/tree.hpp"

namespace regrove::prune {

/// Takes each node's error as a leaf, from the last node to the first (children come before their parents in reverse
/// pre-order), and holds one sum for each open subtree only.
class ReducedErrorPruning {
  public:
    explicit ReducedErrorPruning(const model::Tree& tree) : tree_(&tree), next_(tree.nodes.size()) {}

    /// The error of the node before the one given last; at first that of the last node.
    void add(const ExactSum& error);

    // After the root:

    /// Nodes to cut; some may lie below others. On equal errors the leaf wins.
    const std::vector<NodeId>& cuts() const { return cuts_; }
    double error_before() const { return leaves_error_.value(); }
    double error_after() const { return open_.back().value(); }

  private:
    const model::Tree* tree_;
    std::size_t next_;
    std::vector<ExactSum> open_;  ///< the least errors of the subtrees that still wait for their parent
    ExactSum leaves_error_;
    std::vector<NodeId> cuts_;
};

}  // namespace regrove::prune
