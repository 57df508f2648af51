// How many rows of a table that is spread over ranks end at each leaf of a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// One number a node of the model's first tree, the same on every rank; inner nodes have 0. Throws InputError when the
/// table's columns do not fit. Collective.
std::vector<std::uint64_t> leaf_rows(comm::Communicator& comm, const model::Ensemble& ensemble,
                                     const data::TableShard& shard);

}  // namespace regrove::dist
