// Finds the best questions about sparse columns: every owner walks its columns once for a batch of nodes.
//
// local: rounded gradients of each rank's rows     merge: gathered, once a tree     decide: owners search their features
// An entry adds its row's gradient to the sums of (node, bin); what a node's absent rows of a feature sum to is the node's
// sums less those of its present rows, exactly. So no histogram is kept, and a batch of nodes costs one pass over the entries,
// whatever the number of features, bins and nodes.
// Messages: the gradients of all rows to every rank a tree (4 bytes a row on the packed grid, 16 on the wide one); the
// candidates a batch; for each opened node its question and the rows that leave the majority (4 bytes each).
#pragma once

#include <memory>

#include "regrove/train/boosting_search.hpp"
#include "regrove/train/boosting_sparse_columns.hpp"

namespace regrove::train {

/// Both must outlive it. Memory: 8 bytes a row of all ranks on the packed grid, 24 on the wide one. Collective.
std::unique_ptr<BoostingSearch> make_sparse_search(const TreeSearchContext& context, const SparseColumns& columns,
                                                   BoostingExchange& exchange);

}  // namespace regrove::train
