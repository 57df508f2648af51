// idx files (cells, perhaps labels) to one table over all ranks, split by rows.
#pragma once

#include <memory>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/ingest_table.hpp"

namespace regrove::dist {

/// Reads the headers and the labels. Collective; errors are agreed.
std::unique_ptr<ScannedTable> scan_idx(comm::Communicator& comm, const IngestRequest& request);

}  // namespace regrove::dist
