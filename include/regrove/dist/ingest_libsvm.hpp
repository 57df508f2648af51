// LibSVM files to one table over all ranks.
#pragma once

#include <memory>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/ingest_table.hpp"

namespace regrove::dist {

/// Scans the files once; the rows are read a second time when they are handed out, since their dense form may be far
/// larger than the text. Features f<index> of the expected columns are there even if no row gives them. Collective;
/// errors are agreed.
std::unique_ptr<ScannedTable> scan_libsvm_files(comm::Communicator& comm, const IngestRequest& request);

}  // namespace regrove::dist
