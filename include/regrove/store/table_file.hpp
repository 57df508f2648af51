// The columnar HDF5 table on disk (docs/table-format.md): written and read by all ranks together.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::store {

enum class Compression : std::uint8_t { none, fast, small };

struct TableFileInfo {
    data::Schema schema;
    std::uint64_t rows = 0;
    Hash128 content_hash;  ///< as stored; zero when the writer (a script) stored none
};

/// Whether the file begins with the HDF5 signature; false when it cannot be opened.
bool is_hdf5_file(const std::string& path);

/// Writes one table. Collective. The file appears under its name only when finish() has succeeded on all ranks: until
/// then a temporary stands beside it, which is removed on destruction. Errors (disk full, ...) are agreed: all throw.
class TableWriter {
  public:
    TableWriter(comm::Communicator& comm, std::string path, data::Schema schema, std::uint64_t global_rows,
                Compression compression);
    ~TableWriter();
    TableWriter(const TableWriter&) = delete;
    TableWriter& operator=(const TableWriter&) = delete;
    /// Writes the chunk at its first_row. Collective: a rank without rows passes an empty shard.
    void write(const data::TableShard& chunk);
    /// Closes, syncs and renames. Returns the content hash over all ranks.
    Hash128 finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Schema, row count and hash; collective (rank 0 reads, all receive). Throws FormatError on files that are not tables.
TableFileInfo read_table_info(comm::Communicator& comm, const std::string& path);

/// This rank's consecutive share of the rows: row r goes to rank floor(r * size / rows), so shares differ by at most one.
RowIndex share_begin(std::uint64_t global_rows, int rank, int size);

/// Reads this rank's share, or the columns named only (empty: all). Collective. Integer or category cells out of range,
/// infinite float values in features, or truncated files are errors.
data::TableShard read_table(comm::Communicator& comm, const std::string& path,
                            const std::vector<std::string>& columns = {});

}  // namespace regrove::store
