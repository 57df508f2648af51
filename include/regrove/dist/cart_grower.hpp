// Grows one exact CART tree on all ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/train/cart_options.hpp"

namespace regrove::dist {

/// What one round of growth did, for the account of communication.
struct RoundTraffic {
    std::uint32_t nodes = 0;
    std::uint64_t messages = 0;  ///< sent by this rank
    std::uint64_t bytes = 0;
};

struct GrownTree {
    model::Tree tree;
    RoundTraffic sorting;              ///< the sample sort before the first round
    std::vector<RoundTraffic> rounds;  ///< one a level, without a leaf limit
};

/// The same tree on any number of ranks and threads. Collective; throws ConfigError when options contradict each
/// other.
GrownTree grow_cart_tree(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options);

/// The model around a tree: features, classes, label and how it was made.
model::Ensemble make_ensemble(const TrainingSet& set, model::Tree tree);

}  // namespace regrove::dist
