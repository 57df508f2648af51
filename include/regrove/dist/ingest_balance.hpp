// Moves rows between ranks until each holds its even share, keeping their order.
#pragma once

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

/// Collective. Rank r ends up with rows [share_begin(r), share_begin(r + 1)) of the store's rule. O(rows / ranks)
/// memory; sends only what stands on the wrong rank.
data::TableShard balanced(comm::Communicator& comm, data::TableShard shard);

}  // namespace regrove::dist
