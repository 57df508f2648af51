// Grows one exact CART tree on all ranks.
#pragma once

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/dist/tree_grower.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/train/cart_options.hpp"

namespace regrove::dist {

/// The same tree on any number of ranks and threads. Collective; throws ConfigError when options contradict each
/// other.
GrownTree grow_cart_tree(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options);

/// The model around a tree: features, classes, label and how it was made.
model::Ensemble make_ensemble(const TrainingSet& set, model::Tree tree);

}  // namespace regrove::dist
