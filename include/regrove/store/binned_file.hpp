// A binned table kept in a file (docs/binned-file.md): its codes lie there as boosting reads them, row by row in tiles
// (binning/row_tiles.hpp), so that they are read straight into place.
//
// Label, weight and group stay columns of cells as in a table file, so that all that is made of them is made as from the table.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/binning/row_tiles.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/core/hash.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"
#include "regrove/store/table_file.hpp"

namespace regrove::store {

/// How a table was binned.
struct BinningNotes {
    std::uint32_t max_bin = 255;
    /// Rows that quantiles were taken from; all rows of the table: they are exact.
    std::uint64_t quantile_rows = 0;
    /// The content hash of the table, of all its columns.
    std::string table_hash;
};

struct BinnedFileInfo {
    TableFileInfo roles;  ///< label, weight and group; its content hash is that of these columns
    std::vector<model::Feature> features;
    std::vector<binning::Bins> bins;
    BinningNotes notes;
    std::vector<Hash128> tile_hashes;
};

/// Whether the file is one of this kind, of any version; false when it cannot be opened.
bool is_binned_file(const std::string& path);

/// Writes one. Collective. The file appears under its name only when finish() has succeeded on all ranks. Its bytes depend on
/// the table and how it was binned only, not on ranks, threads or chunks.
class BinnedWriter {
  public:
    /// `roles`: the columns kept as cells, at least one, none of text. `bins`: their numbers and kinds must be final, their
    /// values need not be known yet. Throws InputError, LimitError (too many codes), IoError.
    BinnedWriter(comm::Communicator& comm, std::string path, data::Schema roles, std::uint64_t rows,
                 std::vector<binning::Bins> bins);
    ~BinnedWriter();
    BinnedWriter(const BinnedWriter&) = delete;
    BinnedWriter& operator=(const BinnedWriter&) = delete;
    /// The rows of `roles` at its first_row, and a column of codes for each feature. Collective; a rank without rows passes
    /// an empty shard. A rank's chunks follow each other without a gap, and the ranks hold the rows in rank order.
    void write(const data::TableShard& roles, std::span<const binning::Codes> codes);
    void finish(const std::vector<model::Feature>& features, const std::vector<binning::Bins>& bins,
                const BinningNotes& notes);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

class BinnedFile {
  public:
    /// Reads what the file says of itself. Collective; throws FormatError on files that are damaged, truncated or of
    /// another kind.
    BinnedFile(comm::Communicator& comm, const std::string& path);
    ~BinnedFile();
    BinnedFile(const BinnedFile&) = delete;
    BinnedFile& operator=(const BinnedFile&) = delete;

    const std::string& path() const;
    const BinnedFileInfo& info() const;
    /// This rank's share of the rows: label, weight and group. Collective; compares their hashes.
    data::TableShard read_roles();
    /// Reads codes of rows [begin, begin + rows) of a tile. Local, by several threads at once; throws IoError.
    void read_tile(std::size_t tile, std::uint64_t begin, std::uint64_t rows, std::uint8_t* laid);
    /// When the ranks together have read all rows of all tiles, each once: throws FormatError when their hashes are not
    /// those stored. Collective.
    void check_tiles();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace regrove::store
