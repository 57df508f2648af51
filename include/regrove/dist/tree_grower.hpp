// Grows one tree on all ranks, each with its share of the rows; who searches the nodes is given.
#pragma once

#include <cstdint>
#include <span>
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

/// A node whose subtree one rank grows alone.
struct HandedNode {
    std::uint32_t id = 0;
    std::uint64_t rows = 0;
    std::uint32_t depth = 0;
    train::NodeRandom random;
};

/// Grows whole subtrees, each on one rank.
class SubtreeGrower {
  public:
    virtual ~SubtreeGrower() = default;
    /// The subtrees of these nodes, in order, on every rank. Collective.
    virtual std::vector<model::Tree> grow(std::span<const HandedNode> nodes,
                                          std::span<const std::uint32_t> node_of_row) = 0;
    /// Nodes with at most so many rows are handed over.
    virtual std::uint64_t most_rows() const = 0;
};

/// Who answers for a tree's nodes.
struct TreeSearch {
    NodeSearch& nodes;
    ColumnRuns* runs = nullptr;                      ///< compacted as rows end in leaves; null: none
    const train::NodeRandom* root_random = nullptr;  ///< null: nothing is drawn
    bool shows_progress = true;
    SubtreeGrower* subtrees = nullptr;  ///< null: no node is handed over; needs root_random, and no leaf limit
};

/// The same tree on any number of ranks and threads. Rows marked in set.left_out take no part. Collective.
GrownTree grow_tree(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options,
                    const TreeSearch& search);

}  // namespace regrove::dist
