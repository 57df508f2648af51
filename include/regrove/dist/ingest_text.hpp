// Delimited text files to one table over all ranks: scan, merge, decide, then hand out the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/ingest/record_blocks.hpp"
#include "regrove/ingest/text_options.hpp"

namespace regrove::dist {

struct IngestRequest {
    std::vector<std::string> inputs;
    ingest::TextOptions options;
    /// Parsed cells are kept up to this many bytes a rank; beyond, the files are read once more.
    std::uint64_t keep_bytes = std::uint64_t{1} << 30U;
    ingest::BlockSizes sizes;
};

/// What a person wants to know beside the table; the same on every rank except where said.
struct IngestReport {
    std::uint64_t bad_rows = 0;
    std::string rejected_text;          ///< rank 0 only: the bad rows as they stood, each with a line end
    std::vector<std::string> rejected;  ///< rank 0 only: the first few as file:line:column: reason
    std::vector<std::string> warnings;
    unsigned passes = 0;    ///< how often the files were read
    std::string delimiter;  ///< "comma", "tab", ...
    bool has_header = false;
};

/// Takes chunks of consecutive rows, each at its first_row. Called on every rank equally often, with an empty shard
/// where a rank has no rows, so it may be collective.
using ChunkSink = std::function<void(data::TableShard)>;

/// A table that has been scanned and decided on.
class TextTable {
  public:
    virtual ~TextTable() = default;
    virtual const data::Schema& schema() const = 0;
    virtual std::uint64_t global_rows() const = 0;
    virtual const IngestReport& report() const = 0;
    /// Hands out all rows once. Collective; errors are agreed. The table is used up.
    virtual void hand_out(const ChunkSink& sink) = 0;
};

/// Scans the files. Collective; errors are agreed. Throws InputError for everything that docs/ingest.md refuses.
std::unique_ptr<TextTable> scan_text(comm::Communicator& comm, const IngestRequest& request);

/// All rows as this rank's shard, as many a rank as `share_begin` of the store gives it.
data::TableShard read_text(comm::Communicator& comm, TextTable& table);

}  // namespace regrove::dist
