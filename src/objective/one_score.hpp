// The loops of objectives with one score a row, written once around each one's formula.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "regrove/objective/objective.hpp"

#include "label_sums.hpp"

namespace regrove::objective {

/// First and second derivative of one row's loss, without its weight.
struct Slope {
    double gradient;
    double hessian;
};

/// `Formula` has `Slope at(label, score) const` and `double loss(label, score) const`; one that is faster for many rows also
/// `void slopes(labels, scores, gradient, hessian) const`, which gives the bits of `at`.
template <class Formula>
class OneScore : public Objective {
  public:
    void derivatives(const LabelledRows& rows, std::span<const double> scores, const Derivatives& out,
                     std::size_t begin, std::size_t end) const final {
        slopes(rows, scores, out, begin, end);
        if (rows.weights.empty()) return;
        for (std::size_t i = begin; i < end; ++i) {
            out.gradient[i] *= rows.weights[i];
            out.hessian[i] *= rows.weights[i];
        }
    }

    double loss(const LabelledRows& rows, std::span<const double> scores) const final {
        double total = 0;
        for (std::size_t i = 0; i < rows.rows(); ++i)
            total += rows.weight(i) * formula_.loss(rows.labels[i], scores[i]);
        return total;
    }

    std::vector<std::int64_t> summarise(const LabelledRows& rows) const override { return sum_labels(rows); }

    std::vector<double> initial_scores(std::span<const std::int64_t> merged) const final {
        return {from_average_ ? best_constant(merged) : 0.0};
    }

    std::optional<double> initial_quantile() const final { return from_average_ ? best_quantile() : std::nullopt; }

  protected:
    OneScore(const ObjectiveOptions& options, Formula formula)
        : formula_(std::move(formula)), from_average_(options.boost_from_average != FirstScores::zero) {}
    const Formula& formula() const { return formula_; }

    /// The score that minimises the loss when all rows have it.
    virtual double best_constant(std::span<const std::int64_t> merged) const { return mean_label(merged); }
    /// Set: the best constant is this quantile of the labels.
    virtual std::optional<double> best_quantile() const { return std::nullopt; }

  private:
    void slopes(const LabelledRows& rows, std::span<const double> scores, const Derivatives& out, std::size_t begin,
                std::size_t end) const {
        if constexpr (requires { formula_.slopes(scores, scores, out.gradient, out.hessian); }) {
            const std::size_t count = end - begin;
            formula_.slopes(std::span<const double>(rows.labels).subspan(begin, count), scores.subspan(begin, count),
                            out.gradient.subspan(begin, count), out.hessian.subspan(begin, count));
        } else {
            for (std::size_t i = begin; i < end; ++i) {
                const Slope slope = formula_.at(rows.labels[i], scores[i]);
                out.gradient[i] = slope.gradient;
                out.hessian[i] = slope.hessian;
            }
        }
    }

    Formula formula_;
    bool from_average_;
};

}  // namespace regrove::objective
