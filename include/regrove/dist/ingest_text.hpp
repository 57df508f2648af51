// Delimited text files to one table over all ranks.
#pragma once

#include <memory>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/ingest_table.hpp"

namespace regrove::dist {

/// Scans the files. Collective; errors are agreed. Throws InputError for everything that docs/ingest.md refuses.
std::unique_ptr<ScannedTable> scan_text(comm::Communicator& comm, const IngestRequest& request);

}  // namespace regrove::dist
