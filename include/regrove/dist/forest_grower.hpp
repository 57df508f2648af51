// Grows a forest on all ranks: the same trees whichever of rows and trees is dealt to them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/forest_keeper.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/train/cart_options.hpp"
#include "regrove/train/forest_options.hpp"

namespace regrove::dist {

/// What the trees that did not draw a row say of it, for this rank's rows, in order.
struct OutOfBag {
    /// rows x outputs: mean probabilities (or shares of votes), or means; zeros where `trees` is zero.
    std::vector<double> answer;
    std::vector<std::uint32_t> trees;  ///< trees that did not draw the row
};

struct GrownForest {
    model::Ensemble ensemble;
    std::uint64_t rows = 0;              ///< of the table, over all ranks
    std::optional<OutOfBag> out_of_bag;  ///< when asked for, of a whole forest
    bool stopped = false;                ///< by the keeper, before all trees were grown
};

/// With a keeper, trees are grown batch by batch. Collective. Throws InputError as make_training_set() does, ConfigError when
/// options contradict each other.
GrownForest grow_forest(comm::Communicator& comm, data::TableShard shard, const train::CartOptions& cart,
                        const train::ForestOptions& forest, std::uint64_t seed, ForestKeeper* keeper = nullptr);

}  // namespace regrove::dist
