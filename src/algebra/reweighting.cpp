// Coordinate descent on the pairs' counts alone: rows are not seen again.
#include "regrove/algebra/reweighting.hpp"

#include <algorithm>
#include <cmath>

namespace regrove::algebra {

namespace {

constexpr double k_hold = 1e-4;
constexpr int k_most_sweeps = 100;
constexpr double k_still = 1e-6;

/// The point nearest to zero within `by` of `value`.
double shrunk(double value, double by) {
    if (value > by) return value - by;
    if (value < -by) return value + by;
    return 0;
}

class Descent {
  public:
    Descent(const MonomialPairs& pairs, const ScoreFit& fit, std::uint64_t rows, double penalty, std::size_t free)
        : pairs_(pairs),
          fit_(fit),
          rows_(static_cast<double>(rows)),
          free_(free),
          value_(fit.start),
          slope_(fit.residual) {
        for (std::size_t i = 0; i < value_.size(); ++i) {
            slope_[i] /= rows_;
            share_.push_back(pairs.with(i)[i] / rows_);
            penalty_.push_back(i == free ? 0 : penalty * std::sqrt(share_[i]));
            still_ = std::max(still_, std::abs(value_[i]) * k_still);
        }
    }

    std::vector<double> run() {
        for (int sweep = 0; sweep < k_most_sweeps; ++sweep) {
            double largest = 0;
            for (std::size_t i = 0; i < value_.size(); ++i) largest = std::max(largest, move(i));
            if (largest <= still_) break;
        }
        return value_;
    }

  private:
    /// Sets one coefficient to its best with all others as they are; returns by how much it changes.
    double move(std::size_t i) {
        const double curvature = share_[i] + k_hold;
        const double target = slope_[i] + share_[i] * value_[i] + k_hold * fit_.start[i];
        const double next = shrunk(target, penalty_[i]) / curvature;
        const double change = next - value_[i];
        if (change == 0) return 0;
        value_[i] = next;
        const double per_row = change / rows_;
        const std::uint32_t* const with = pairs_.with(i).data();
        double* const slope = slope_.data();
        for (std::size_t j = 0; j < slope_.size(); ++j) slope[j] -= per_row * with[j];
        return std::abs(change) * std::sqrt(share_[i]);
    }

    const MonomialPairs& pairs_;
    const ScoreFit& fit_;
    double rows_;
    std::size_t free_;
    std::vector<double> value_;
    std::vector<double> slope_;  ///< mean, over the rows, of the score's error where the monomial holds
    std::vector<double> share_;
    std::vector<double> penalty_;
    double still_ = 0;
};

}  // namespace

std::vector<double> reweighted(const MonomialPairs& pairs, const ScoreFit& fit, std::uint64_t rows, double penalty,
                               std::size_t free) {
    return Descent(pairs, fit, rows, penalty, free).run();
}

void list_options(ReweightOptions& options, OptionTable& table) {
    table.add("reweight", options.method,
              Choices<Reweight>{
                  {"none", Reweight::none}, {"least_squares", Reweight::least_squares}, {"lasso", Reweight::lasso}},
              "monomials: coefficients of those kept: as they are; fitted anew to the whole model's scores on the "
              "training rows; or so with an L1 penalty, which drops further ones");
    table.add("lasso_penalty", options.lasso_penalty, 0, 1e300,
              "monomials: what the root of a monomial's eta costs beside half the mean squared change of score");
    table.add("reweight_limit", options.max_monomials, 1, 100000,
              "monomials: how many can be fitted anew at once; takes 4 bytes times its square");
}

}  // namespace regrove::algebra
