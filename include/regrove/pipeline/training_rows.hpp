// What a model is trained on: the rows of a table, or rows that were binned before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/store/binned_file.hpp"

namespace regrove::pipeline {

struct TrainingRows {
    data::TableShard shard;                   ///< of kept bins: label, weight and group only
    std::optional<data::SparseCells> cells;   ///< the features, where they are sparse
    std::unique_ptr<store::BinnedFile> kept;  ///< null: a table
    dist::NamedHash table_hash;               ///< of the table, the same for the table and for bins made of it

    /// The columns of the table, as far as a model knows them.
    data::Schema schema() const;
};

/// By the file's content; `form` and `memory_limit_bytes` as load_table has them. Collective.
TrainingRows load_training_rows(comm::Communicator& comm, const TableRequest& request, dist::RowForm form,
                                std::uint64_t memory_limit_bytes);

}  // namespace regrove::pipeline
