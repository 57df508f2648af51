// The columnar HDF5 table on disk (docs/table-format.md): written and read by all ranks together.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/data/table.hpp"

namespace regrove::store {

/// none: cells in one piece a column, written by all ranks at once. fast, small: chunks behind shuffle, deflate 1 or
/// 6 and Fletcher32, compressed by all threads of all ranks and stored by the root.
enum class Compression : std::uint8_t { none, fast, small };

struct TableFileInfo {
    data::Schema schema;
    std::uint64_t rows = 0;
    Hash128 content_hash;                ///< as stored; zero when the writer (a script) stored none
    std::vector<Hash128> column_hashes;  ///< one a column, zero when not stored
};

/// Whether the file begins with the HDF5 signature; false when it cannot be opened.
bool is_hdf5_file(const std::string& path);

/// Writes one table. Collective. The file appears under its name only when finish() has succeeded on all ranks: until
/// then a temporary stands beside it, which is removed on destruction. Errors (disk full, ...) are agreed: all throw.
/// The file's bytes depend on schema, cells and compression only, not on ranks, threads or the cut into chunks.
class TableWriter {
  public:
    /// Throws InputError when `schema` is not valid (data::validate), IoError when the file cannot be made. An
    /// existing file at `path` is replaced by finish(): to refuse that is the caller's matter.
    TableWriter(comm::Communicator& comm, std::string path, data::Schema schema, std::uint64_t global_rows,
                Compression compression);
    ~TableWriter();
    TableWriter(const TableWriter&) = delete;
    TableWriter& operator=(const TableWriter&) = delete;
    /// Writes the chunk (with the table's schema) at its first_row. Collective: a rank without rows passes an empty
    /// shard. A rank's chunks follow each other without a gap, and the ranks hold the rows in rank order.
    void write(const data::TableShard& chunk);
    /// Closes, syncs and renames. Returns the content hash over all ranks.
    Hash128 finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Schema, row count and hash; collective (rank 0 reads, all receive). Throws FormatError on files that are not
/// tables.
TableFileInfo read_table_info(comm::Communicator& comm, const std::string& path);

/// This rank's consecutive share of the rows: row r goes to rank floor(r * size / rows), so shares differ by at most
/// one.
RowIndex share_begin(std::uint64_t global_rows, int rank, int size);

struct ReadOptions {
    /// Compare the cells read with the stored hashes, where there are any; costs about 3 ns a cell.
    bool verify = true;
};

/// Reads this rank's share: all columns in table order, or the named ones in the order given. Collective. Integer or
/// category cells out of range and infinite values in feature, label or weight columns are InputErrors that name
/// column and row (counted from zero); damaged, truncated or foreign files are FormatErrors that name file and
/// column.
data::TableShard read_table(comm::Communicator& comm, const std::string& path,
                            const std::vector<std::string>& columns = {}, const ReadOptions& options = {});

}  // namespace regrove::store
