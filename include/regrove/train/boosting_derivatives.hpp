// Derivatives of an objective with one score a row, computed from labels and scores where they are asked for: it costs an
// exponential or so each time, and saves the 16 bytes a row of keeping them.
#pragma once

#include <span>

#include "regrove/core/narrow_numbers.hpp"
#include "regrove/objective/objective.hpp"
#include "regrove/train/boosting_gradients.hpp"

namespace regrove::train {

/// Views of one rank's rows.
struct ScoredRows {
    const NarrowNumbers& labels;
    const NarrowNumbers& weights;  ///< empty: one each
    std::span<const double> scores;
};

/// `objective` has one score a row and is not grouped. All that is passed must outlive it.
class ComputedDerivatives final : public DerivativeSource {
  public:
    ComputedDerivatives(const objective::Objective& objective, const ScoredRows& rows)
        : objective_(objective), rows_(rows) {}
    std::size_t rows() const override { return rows_.scores.size(); }
    void of_block(std::size_t begin, std::span<double> gradient, std::span<double> hessian) const override;
    void of_entries(std::span<const RowEntry> entries, std::span<double> gradient,
                    std::span<double> hessian) const override;

  private:
    const objective::Objective& objective_;
    ScoredRows rows_;
};

}  // namespace regrove::train
