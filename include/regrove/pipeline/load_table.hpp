// The one way in which jobs take a table: HDF5, CSV, TSV or LibSVM, by content, plain or compressed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/sparse_cells.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/ingest_table.hpp"

namespace regrove::pipeline {

/// How to read a text table where a job takes any table; HDF5 files carry all of this themselves.
struct TableRequest {
    std::string path;
    std::string target;  ///< label column by name or index for text files; empty: as the file says, or no label
    /// Names that must be present; others may be absent (e.g. predict does not need the label). Empty: no demand.
    std::vector<std::string> required;
    /// Refuse a text table from which nothing can be learnt (a label of one value, a text column that differs in
    /// every row): for training. A table that is only predicted or evaluated may have one row.
    bool refuse_useless = false;
    /// Columns of the table that a model was trained on (may be empty): text columns of these names that were
    /// categories there are read as categories here, even if all their texts look like numbers; a LibSVM file has
    /// the features f<index> named here even if no row gives them.
    data::Schema expected;
};

/// A target that an HDF5 table does not mark as its label yet becomes the label. Throws ConfigError.
void mark_label(data::Schema& schema, const TableRequest& request);

/// This rank's share of the rows. Collective; errors are agreed.
data::TableShard load_table(comm::Communicator& comm, const TableRequest& request);

/// Rows whose features may be sparse: then `cells` holds them, and `rows` the other columns.
struct LoadedTable {
    data::TableShard rows;
    std::optional<data::SparseCells> cells;
};

/// As load_table, in the form asked for (`sparse`: tables of other formats are read dense and then made sparse, zeros
/// absent); sparse rows lie on the ranks as they were read. `memory_limit_bytes`: see dist::IngestRequest.
LoadedTable load_table(comm::Communicator& comm, const TableRequest& request, dist::RowForm form,
                       std::uint64_t memory_limit_bytes);

}  // namespace regrove::pipeline
