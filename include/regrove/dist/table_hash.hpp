// The content hash of a table that is spread over ranks.
#pragma once

#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

/// Hexadecimal; the same for any spread of the rows. Collective.
std::string table_hash(comm::Communicator& comm, const data::TableShard& shard);

}  // namespace regrove::dist
