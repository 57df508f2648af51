// Groups of rows that are ranked among each other, whole on one rank each.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

/// Where the groups of these rows begin, ascending from 0, with the number of rows at the end. Throws InputError
/// without a group column, or when a group begins a second time. O(rows log groups).
std::vector<std::uint64_t> find_groups(const data::TableShard& shard);

/// Rows moved so that every group is whole on one rank; their order over the ranks stays. Each rank sees all rows for
/// a moment. Collective; throws as find_groups does, agreed.
data::TableShard keep_groups_whole(comm::Communicator& comm, data::TableShard shard);

}  // namespace regrove::dist
