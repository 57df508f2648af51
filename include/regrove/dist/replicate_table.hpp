// All rows of a spread table on every rank.
#pragma once

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

/// The shards of all ranks behind each other, in rank order, on every rank. Each rank sends its rows once to every other
/// rank: bytes_of_own_rows * (ranks - 1). Collective.
data::TableShard replicate_table(comm::Communicator& comm, data::TableShard shard);

}  // namespace regrove::dist
