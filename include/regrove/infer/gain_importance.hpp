// How much of the training impurity each feature's questions took away: importance by gain, from the model alone.
//
// Source: Breiman, Friedman, Olshen and Stone 1984, section 5.3.4, without surrogates; normalised as scikit-learn's
// feature_importances_ are, so the numbers can be compared. It favours features of many values and says nothing about
// rows that training did not see; permutation importance (dist/permutation_importance.hpp) does not share these flaws.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

/// The figures of one feature over all trees. A question counts for the feature that it asks about, its surrogates for
/// none.
struct GainImportance {
    /// Each tree's gains as shares of their sum, averaged by the trees' weights over the trees that gain at all; all
    /// features' sum is one, or zero when no tree gains.
    /// Boosted models (Combination::sum): the feature's share of the gains of all trees together.
    double importance = 0;
    double total_gain = 0;     ///< sum of node weight * gain, in units of weight times impurity; boosting: of gains
    std::uint64_t splits = 0;  ///< questions
    double cover = 0;          ///< training weight that met these questions, once for each of them
};

/// One element a feature, in the model's order. O(nodes of all trees).
std::vector<GainImportance> gain_importance(const model::Ensemble& ensemble);

}  // namespace regrove::infer
