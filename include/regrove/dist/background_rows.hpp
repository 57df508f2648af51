// What attributions compare a row with: background rows, drawn from all ranks' rows, or how many of them reach each
// node.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/algebra/tree_covers.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// The cells (infer::Binding::fill) of all rows of all ranks, or of `most` (above zero) of them when there are more:
/// rows x features, in the order of the rows, the same on every rank and on any number of them. Collective; throws
/// InputError, agreed, when there are no rows or columns do not fit the model.
std::vector<double> background_cells(comm::Communicator& comm, const model::Ensemble& ensemble,
                                     const data::TableShard& shard, std::uint64_t most, std::uint64_t seed);

/// The number of all ranks' rows that reach each node. Collective; throws as above.
algebra::TreeCovers counted_covers(comm::Communicator& comm, const model::Ensemble& ensemble,
                                   const data::TableShard& shard);

}  // namespace regrove::dist
