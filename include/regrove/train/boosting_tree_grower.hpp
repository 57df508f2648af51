// Grows one boosted tree from rounded gradients: level by level, best leaf first, or one question a level.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "regrove/model/tree.hpp"
#include "regrove/train/boosting_columns.hpp"
#include "regrove/train/boosting_exchange.hpp"
#include "regrove/train/boosting_gradients.hpp"
#include "regrove/train/boosting_layout.hpp"
#include "regrove/train/boosting_nodes.hpp"
#include "regrove/train/boosting_options.hpp"
#include "regrove/train/boosting_sparse_columns.hpp"
#include "regrove/train/boosting_thresholds.hpp"

namespace regrove::train {

/// What all trees of a model share; refers to tables that must outlive it.
struct BoostingPlan {
    const BoostingTable& table;
    const BoostingOptions& options;
    std::vector<std::int8_t> monotone;  ///< a feature: +1, 0, -1; empty: none
    Interactions interactions;
    std::uint64_t seed = 0;
    /// Features that are mostly absent; then `table` is empty. Null: the features are in `table`.
    const SparseColumns* sparse = nullptr;
    std::string objective = {};  ///< for messages, with the round that a tree's number stands for
    std::uint64_t trees_a_round = 1;
    /// Every distinct value is a candidate: the table has codes of categories only. Null: numeric features are binned.
    ThresholdSearch* thresholds = nullptr;

    std::uint32_t features() const { return sparse != nullptr ? sparse->features() : table.features(); }
};

/// This rank's rows of one leaf of a grown tree; a leaf may have several parts.
struct LeafRows {
    NodeId leaf = k_no_node;
    std::span<const RowEntry> rows;
};

/// A grown tree and which of this rank's rows fell into its leaves. Leaf values are multiplied by the learning rate.
struct GrownBoostedTree {
    model::Tree tree;
    std::vector<LeafRows> leaf_rows;      ///< valid as long as the workspace is not used again
    std::vector<CodeQuestion> questions;  ///< a node; leaves: none
};

/// Memory that tree after tree is grown in.
struct BoostingWorkspace {
    TreeRows rows;
    std::vector<RowEntry> spare;
};

/// `tree_number` counts from the first tree of the model, also where training goes on. The tree is the same however rows are
/// spread over ranks. Collective. Throws LimitError (on all ranks alike) on derivatives that are not finite.
GrownBoostedTree grow_boosted_tree(const BoostingPlan& plan, const GradientView& gradients, std::uint64_t tree_number,
                                   BoostingExchange& exchange, BoostingWorkspace& workspace);

/// The leaf of any row of the table, by its codes or values.
NodeId leaf_by_codes(const GrownBoostedTree& grown, std::size_t row);

}  // namespace regrove::train
