// How much training weight reached each node of each tree: what path-dependent attributions take chances from.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/core/ids.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::algebra {

/// One number a node, tree by tree.
using TreeCovers = std::vector<std::vector<double>>;

/// The nodes' training weights; empty when the model's file has none (a tree whose root has no weight, or a node with
/// weight whose children have none).
TreeCovers training_covers(const model::Ensemble& ensemble);

/// Counts of rows by leaf (rows x trees, as infer::Predictor::leaves gives them) for every node, tree by tree, in one
/// flat array that ranks can add up.
std::vector<std::uint64_t> count_covers(const model::Ensemble& ensemble, const std::vector<NodeId>& leaves);
TreeCovers covers_of_counts(const model::Ensemble& ensemble, const std::vector<std::uint64_t>& counts);

}  // namespace regrove::algebra
