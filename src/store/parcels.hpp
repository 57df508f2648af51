// Brings the parcels of all ranks' spool files to the root, in rank order.
#pragma once

#include <functional>
#include <string>

#include "regrove/comm/communicator.hpp"

#include "spool_file.hpp"

namespace regrove::store {

/// Calls `handle` on the root with each parcel: rank 0's in order, then rank 1's, and so on; one parcel is in memory
/// at a time. Collective; an error on any rank is thrown by all.
void collect_parcels(comm::Communicator& comm, const SpoolFile& spool,
                     const std::function<void(const std::string&)>& handle);

}  // namespace regrove::store
