// Whether a division of a node is allowed, and what it scores: the same operations wherever sides are compared.
#pragma once

#include <limits>

#include "regrove/train/boosting_split.hpp"

namespace regrove::train {

/// Judges divisions of one node by one feature; `direction` is the feature's monotone constraint.
class DivisionJudge {
  public:
    DivisionJudge(const BoostingSplitRules& rules, const BoostingNodeView& node, int direction)
        : rules_(rules),
          node_(node),
          direction_(direction),
          plain_(rules.score.plain() && node.bounds.open() && direction == 0) {}

    /// Scores are G^2 / (H + lambda), neither thresholds nor bounds nor constraints.
    bool plain() const { return plain_; }
    bool allowed(const GradientSums& left, const GradientSums& right) const {
        return left.hessian > 0 && right.hessian > 0 && rules_.score.hessian(left) >= rules_.min_child_weight &&
               rules_.score.hessian(right) >= rules_.min_child_weight &&
               (rules_.min_rows_leaf <= 1 ||
                (left.rows >= rules_.min_rows_leaf && right.rows >= rules_.min_rows_leaf));
    }
    /// The sum of both sides' scores; -inf when the question would break a monotone constraint.
    double score(const GradientSums& left, const GradientSums& right) const {
        if (plain_) return rules_.score.plain_score(left) + rules_.score.plain_score(right);
        if (direction_ != 0) {
            const double rise = rules_.score.value(right, node_.bounds) - rules_.score.value(left, node_.bounds);
            if (direction_ > 0 ? rise < 0 : rise > 0) return -std::numeric_limits<double>::infinity();
        }
        return rules_.score.score(left, node_.bounds) + rules_.score.score(right, node_.bounds);
    }
    const BoostingNodeView& node() const { return node_; }

  private:
    const BoostingSplitRules& rules_;
    BoostingNodeView node_;
    int direction_;
    bool plain_;
};

}  // namespace regrove::train
