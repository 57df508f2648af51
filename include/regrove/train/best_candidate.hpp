// The best split seen so far by a sweep; cheap to ask, exact when it matters.
#pragma once

#include <cmath>
#include <compare>

#include "regrove/train/exact_score.hpp"

namespace regrove::train {

/// Approximate scores this close are compared exactly; the approximation errs by less than a tenth of it.
constexpr double k_score_margin = 0x1p-46;

/// Compares a score with the best one: in double precision where that decides, else exactly.
class BestScore {
  public:
    /// `exact` receives the exact score unless the answer is `less`.
    template <class Sides>
    std::strong_ordering compare_with_best(const Sides& sides, ExactScore& exact) {
        approximate_ = sides.approximate();
        if (any_ && approximate_ < low_) return std::strong_ordering::less;
        exact = sides.exact();
        if (!any_ || approximate_ > high_) return std::strong_ordering::greater;
        return compare(exact, best_);
    }
    /// The score just compared becomes the best.
    void take(const ExactScore& exact) {
        any_ = true;
        best_ = exact;
        const double margin = std::fabs(approximate_) * k_score_margin;
        low_ = approximate_ - margin;
        high_ = approximate_ + margin;
    }

  private:
    ExactScore best_;
    double approximate_ = 0;
    double low_ = 0;   ///< below: surely worse than the best
    double high_ = 0;  ///< above: surely better
    bool any_ = false;
};

}  // namespace regrove::train
