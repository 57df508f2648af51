// Which cells of a space hold rows of a table that is spread over ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/cellspace/space.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

struct TableCells {
    /// One number an axis for each distinct cell, in lexicographic order; the same on every rank.
    std::vector<std::uint32_t> cells;
    /// Rows, over all ranks, with a value that the space has no cell for: a missing one, or a category in no dictionary.
    std::uint64_t rows_outside = 0;
};

/// The cells of all ranks' rows, each once. `binding` is that of the ensemble to the table's schema. Memory on every
/// rank: O(distinct cells). Collective.
TableCells distinct_cells(comm::Communicator& comm, const cellspace::Space& space, const model::Ensemble& ensemble,
                          const infer::Binding& binding, const data::TableShard& shard);

/// The lowest and the highest cell on each axis over all ranks' rows, as two cells (low, high; one when they are equal;
/// none without rows): all that a range of cells depends on. Collective.
TableCells range_corners(comm::Communicator& comm, const cellspace::Space& space, const model::Ensemble& ensemble,
                         const infer::Binding& binding, const data::TableShard& shard);

}  // namespace regrove::dist
