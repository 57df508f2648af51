// The regularised loss of a leaf and the value that minimises it (Chen and Guestrin 2016, equations 5 to 7, with the soft
// threshold of reg_alpha, bounds of values and max_delta_step).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/train/boosting_gradients.hpp"
#include "regrove/train/boosting_options.hpp"

namespace regrove::train {

/// What a leaf's value may be, so that no answer breaks a monotone constraint.
struct ValueBounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    bool open() const { return std::isinf(low) && std::isinf(high); }
    friend bool operator==(const ValueBounds&, const ValueBounds&) = default;
};

/// Leaf values before the learning rate, and scores: twice by how much a leaf of that value lowers the loss.
class LeafScore {
  public:
    LeafScore() = default;
    LeafScore(const BoostingOptions& options, const GradientGrid& grid)
        : lambda_(options.reg_lambda),
          alpha_(options.reg_alpha),
          step_(options.max_delta_step.value_or(0) > 0 ? *options.max_delta_step
                                                       : std::numeric_limits<double>::infinity()),
          gradient_unit_(grid.gradient_unit),
          hessian_unit_(grid.hessian_unit) {}

    /// Neither a threshold nor a limit of the step: the score is G^2 / (H + lambda).
    bool plain() const { return alpha_ == 0 && std::isinf(step_); }
    double lambda() const { return lambda_; }
    double gradient(const GradientSums& sums) const { return static_cast<double>(sums.gradient) * gradient_unit_; }
    double hessian(const GradientSums& sums) const { return static_cast<double>(sums.hessian) * hessian_unit_; }

    double plain_score(const GradientSums& sums) const {
        const double g = gradient(sums);
        return g * g / (hessian(sums) + lambda_);
    }
    double value(const GradientSums& sums, const ValueBounds& bounds) const {
        const double h = hessian(sums) + lambda_;
        if (!(h > 0)) return 0;
        const double free = -soft(gradient(sums)) / h;
        return std::clamp(std::clamp(free, -step_, step_), bounds.low, bounds.high);
    }
    double score(const GradientSums& sums, const ValueBounds& bounds) const {
        if (plain() && bounds.open()) return plain_score(sums);
        const double w = value(sums, bounds);
        const double h = hessian(sums) + lambda_;
        return -(2 * (gradient(sums) * w + alpha_ * std::fabs(w)) + h * w * w);
    }

  private:
    double soft(double g) const { return g > alpha_ ? g - alpha_ : g < -alpha_ ? g + alpha_ : 0; }

    double lambda_ = 1;
    double alpha_ = 0;
    double step_ = std::numeric_limits<double>::infinity();
    double gradient_unit_ = 1;
    double hessian_unit_ = 1;
};

}  // namespace regrove::train
