// What a model's trees answer when some features are held at one value each for all rows: only the trees that ask for
// them are walked again.
#pragma once

#include <span>
#include <vector>

#include "regrove/infer/binding.hpp"
#include "regrove/infer/tree_walk.hpp"

namespace regrove::infer {

/// Refers to ensemble and binding, which must outlive it.
class HeldFeatures {
  public:
    HeldFeatures(const model::Ensemble& ensemble, const Binding& binding, std::vector<FeatureId> features);

    /// The trees with a question or a surrogate that asks for one of the features.
    std::size_t trees() const { return walks_.size(); }

    /// Replaces in `leaves` (rows x trees of the model, row by row, as Predictor::leaves gives them) what changes
    /// when every row has these cells, one for each of the features. In parallel over rows; O(rows * trees() *
    /// depth).
    void walk(const data::TableShard& shard, std::span<const double> cells, std::vector<NodeId>& leaves) const;

  private:
    const Binding* binding_;
    std::vector<FeatureId> features_;
    std::size_t model_trees_;
    std::vector<std::size_t> places_;  ///< of the walks' trees in the model
    std::vector<TreeWalk> walks_;
};

}  // namespace regrove::infer
