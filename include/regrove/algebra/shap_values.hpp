// Shares of a row's scores among its features: what every kind of per-row attribution gives.
//
// Glossary:
//   base     what the scores are when nothing is known of a row
//   phi      a feature's share of (score - base): its Shapley value in the game that the kind of attribution states
//   place    a feature's number among those that some question asks for; all others have a phi of exactly zero
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/algebra/additive_scores.hpp"
#include "regrove/core/ids.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::algebra {

/// The features that some question asks for, surrogates included, ascending, and the place of each among them.
struct AskedFeatures {
    explicit AskedFeatures(const model::Ensemble& ensemble);
    std::vector<FeatureId> features;
    std::vector<std::uint32_t> places;  ///< one a feature of the model; of no account for those not asked for
};

/// Computed in double; |base + sum of phi - score| <= remainder_bound(), where score is the model's own sum in
/// double. Refers to the ensemble, which must outlive it.
class ShapValues {
  public:
    explicit ShapValues(const model::Ensemble& ensemble);
    virtual ~ShapValues() = default;

    const AdditiveScores& scores() const { return scores_; }
    const std::vector<FeatureId>& features() const { return asked_.features; }
    /// One a score.
    const std::vector<double>& base() const { return base_; }
    /// One a score: 2^-53 * (trees + terms + 2 * most leaves + 32 * (depth + 1)^2) * (|initial| + sum of each tree's largest |leaf|) /
    /// divisor, where terms is what one phi adds up beside the trees: background rows, or nothing.
    const std::vector<double>& remainder_bound() const { return bound_; }

    /// The phi of rows whose cells stand row by row as infer::Binding::fill writes them: rows x scores x features(),
    /// into a span of that length. Only own memory is written: may be called by several threads. `first_row` is the
    /// number of the first row in error texts.
    virtual void explain(std::span<const double> cells, std::uint64_t first_row, std::span<double> phi) const = 0;

  protected:
    void set_base(std::vector<double> base, std::size_t terms);

    const model::Ensemble& ensemble_;
    AdditiveScores scores_;
    AskedFeatures asked_;

  private:
    std::vector<double> base_;
    std::vector<double> bound_;
};

}  // namespace regrove::algebra
