// Sparse rows where a whole table's rows are moved, hashed or answered for: block by block, only the columns asked about.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/sparse_cells.hpp"
#include "regrove/dist/boosting_scores.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// Groups stay whole on one rank, as keep_groups_whole does for dense tables; every rank holds all rows for a moment.
/// Collective.
data::SparseTable keep_groups_whole(comm::Communicator& comm, data::SparseTable table);

/// The rows numbered over all ranks. Collective.
void number_rows(comm::Communicator& comm, data::TableShard& rows);

/// A hash of the table's content over all ranks, and what it is called in a model. Up to 2^30 cells it is that of the dense
/// table; beyond, of the present cells. Collective.
struct NamedHash {
    std::string name;
    std::string text;
};
NamedHash table_hash(comm::Communicator& comm, const data::TableShard& rows, const data::SparseCells& cells);

/// Calls visit(dense rows) for consecutive blocks of this rank's rows, at least once, with the columns that a model asks
/// about. A block takes about 64 MiB.
void for_each_dense_block(const data::TableShard& rows, const data::SparseCells& cells,
                          std::span<const std::uint32_t> columns, const std::function<void(data::TableShard)>& visit);

/// Sparse rows and the column of each feature of a model among them (infer::sparse_columns_of).
struct SparseRowsOfModel {
    const data::TableShard& rows;
    const data::SparseCells& cells;
    std::span<const std::uint32_t> columns;
};
/// As add_trees of dense rows; `frame` has the trees' features.
void add_trees(const model::Ensemble& frame, const ScoreTrees& trees, const SparseRowsOfModel& rows,
               RawScores& scores, std::vector<LeafColumn>* leaves = nullptr);

}  // namespace regrove::dist
