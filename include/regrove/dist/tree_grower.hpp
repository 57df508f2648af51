// Grows one tree on all ranks, each with its share of the rows; who searches the nodes is given.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/column_runs.hpp"
#include "regrove/dist/node_search.hpp"
#include "regrove/dist/training_set.hpp"
#include "regrove/model/tree.hpp"
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

/// Who answers for a tree's nodes.
struct TreeSearch {
    NodeSearch& nodes;
    ColumnRuns* runs = nullptr;                      ///< compacted as rows end in leaves; null: none
    const train::NodeRandom* root_random = nullptr;  ///< null: nothing is drawn
    bool shows_progress = true;
};

/// The same tree on any number of ranks and threads. Rows marked in set.left_out take no part. Collective.
GrownTree grow_tree(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options,
                    const TreeSearch& search);

}  // namespace regrove::dist
