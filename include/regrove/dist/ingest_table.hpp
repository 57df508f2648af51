// Files that are not HDF5 to one table over all ranks, whatever their format: scan, decide, then hand out the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/sparse_cells.hpp"
#include "regrove/data/table.hpp"
#include "regrove/ingest/libsvm.hpp"
#include "regrove/ingest/record_blocks.hpp"
#include "regrove/ingest/text_options.hpp"

namespace regrove::dist {

enum class InputFormat : std::uint8_t { automatic, delimited, libsvm, idx };

/// In which form rows are wanted.
enum class RowForm : std::uint8_t {
    dense,
    sparse_if_better,  ///< sparse where dense rows would hold hardly anything (ingest/libsvm_sparse.hpp)
    sparse,            ///< wherever the format allows it
};

struct IngestRequest {
    std::vector<std::string> inputs;
    InputFormat format = InputFormat::automatic;
    ingest::TextOptions options;
    ingest::LibsvmOptions libsvm;
    RowForm form = RowForm::dense;
    /// What a rank may use: sparse rows that would take more are refused before they are read (LimitError); 0: no limit.
    std::uint64_t memory_limit_bytes = 0;
    /// Parsed cells are kept up to this many bytes a rank; beyond, the files are read once more.
    std::uint64_t keep_bytes = std::uint64_t{1} << 30U;
    ingest::BlockSizes sizes;
};

/// What a person wants to know beside the table; the same on every rank except where said. Complete when the rows
/// have been handed out.
struct IngestReport {
    std::uint64_t bad_rows = 0;
    std::string rejected_text;          ///< rank 0 only: the bad rows as they stood, each with a line end
    std::vector<std::string> rejected;  ///< rank 0 only: the first few as file:line:column: reason
    std::vector<std::string> warnings;
    unsigned passes = 0;  ///< how often the files were read
    std::string format;   ///< "delimited", "libsvm" or "idx"
    std::string read_as;  ///< "comma-delimited, with header", "LibSVM, indices from 1", ...
};

/// Takes chunks of consecutive rows, each at its first_row. Called on every rank equally often, with an empty shard
/// where a rank has no rows, so it may be collective.
using ChunkSink = std::function<void(data::TableShard)>;

/// A table that has been scanned and decided on.
class ScannedTable {
  public:
    virtual ~ScannedTable() = default;
    virtual const data::Schema& schema() const = 0;
    virtual std::uint64_t global_rows() const = 0;
    virtual const IngestReport& report() const = 0;
    /// Hands out all rows once. Collective; errors are agreed. The table is used up.
    virtual void hand_out(const ChunkSink& sink) = 0;
    /// Whether the rows are to be taken by read_sparse() instead, as the request's form and the table ask. The same on every
    /// rank.
    virtual bool is_sparse() const { return false; }
    /// All rows as this rank's sparse ones, in rank order. Collective; errors are agreed. The table is used up.
    virtual data::SparseTable read_sparse();
};

/// Scans the files with the reader of their format, which the first file that is not empty shows by its content
/// unless the request names one. Collective; errors are agreed. Throws InputError for everything that docs/ingest.md
/// refuses, ConfigError for an option that the format has no use for.
std::unique_ptr<ScannedTable> scan_table(comm::Communicator& comm, const IngestRequest& request);

/// All rows as this rank's shard, as many a rank as `share_begin` of the store gives it.
data::TableShard read_rows(comm::Communicator& comm, ScannedTable& table);

}  // namespace regrove::dist
