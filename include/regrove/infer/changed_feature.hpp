// What a model's trees answer when one feature has other values: only the trees that ask for it are walked again.
#pragma once

#include <span>
#include <vector>

#include "regrove/infer/binding.hpp"
#include "regrove/infer/tree_walk.hpp"

namespace regrove::infer {

/// Refers to ensemble and binding, which must outlive it.
class ChangedFeature {
  public:
    ChangedFeature(const model::Ensemble& ensemble, const Binding& binding, FeatureId feature);

    /// The trees with a question or a surrogate that asks for the feature.
    std::size_t trees() const { return walks_.size(); }

    /// Replaces in `leaves` (rows x trees of the model, row by row, as Predictor::leaves gives them for the rows as they
    /// are) what changes when the rows' cells of this feature become `cells`. A row keeps its leaf where the way there
    /// does not ask for the feature. In parallel over rows; O(rows * trees() * depth) at most.
    void walk_again(const data::TableShard& shard, std::span<const double> cells, std::vector<NodeId>& leaves) const;

  private:
    const Binding* binding_;
    FeatureId feature_;
    std::size_t model_trees_;
    struct Walk {
        std::size_t place;  ///< of the tree in the model
        TreeWalk tree;
        std::vector<std::uint8_t> is_asked_above;  ///< a node: whether the way to it asks for the feature
    };
    std::vector<Walk> walks_;
};

}  // namespace regrove::infer
