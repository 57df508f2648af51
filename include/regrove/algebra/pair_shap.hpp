// Shapley values of a row's features when an unknown feature has the value of a background row: interventional
// TreeSHAP.
//
// The game, for one background row: with the features S known, the model answers for a row that has the features of S
// from the row explained and all others from the background row. The phi are means over the background rows. Each
// question may hang on several features (surrogates answer for missing values): the row's way is followed ask by ask,
// and every ask is of one feature, so the phi are exact for them, too.
//
// How: along the ways on which the two rows part, each feature is bound to one of them; a leaf that p features of the
// row explained and n of the background row lead to gives p! n! / (p + n)! of its value, shared. One pass over the
// nodes that some mixture of the two rows reaches, for each tree and each kind of background row (those that answer
// alike everywhere in the tree are taken together). Source: Lundberg et al. 2020, "From local explanations to global
// understanding with explainable AI for trees", algorithm 3.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "regrove/algebra/shap_values.hpp"

namespace regrove::algebra {

class PairTree;

class PairShap : public ShapValues {
  public:
    /// `background`: the cells of at least one row, as for explain(). Their order does not matter but for rounding.
    /// Throws ConfigError for scores that are not additive, LimitError when their ways (4 bytes a row and question)
    /// take more than 8 GiB.
    PairShap(const model::Ensemble& ensemble, std::span<const double> background);
    ~PairShap() override;

    void explain(std::span<const double> cells, std::uint64_t first_row, std::span<double> phi) const override;

  private:
    std::vector<PairTree> trees_;
    double background_rows_;
};

}  // namespace regrove::algebra
