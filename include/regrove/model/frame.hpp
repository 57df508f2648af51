// A model without its trees: what it knows of tables, and how answers of trees would be combined.
#pragma once

#include "regrove/model/ensemble.hpp"

namespace regrove::model {

/// All members but trees, tree_weights and tree_outputs. Copies every name of features and categories: once for a model, not for
/// each of its trees.
Ensemble frame_of(const Ensemble& ensemble);

/// The same without features, for who numbers them anew.
Ensemble frame_without_features(const Ensemble& ensemble);

}  // namespace regrove::model
