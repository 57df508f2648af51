// idx files (MNIST) to table rows: one file of images, perhaps one of labels, read by row ranges.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/ingest/idx_header.hpp"

namespace regrove::ingest {

/// What the headers say, the same on every rank.
struct IdxInput {
    std::string cells_path;
    std::string labels_path;  ///< empty: no label column
    IdxHeader cells;
    IdxHeader labels;
    /// Column "label" when there are labels, then pixel_<row>_<column> (for other shapes as many numbers as a cell
    /// has coordinates, none for a plain vector). float32 holds 8 and 16 bit integers exactly.
    data::Schema schema;
    std::uint64_t rows = 0;
};

/// `files`: the cells, or the cells and the labels in any order (labels have one dimension). Throws ConfigError on
/// another number of files, FormatError on a damaged file, InputError when the two do not belong together or have no
/// rows, LimitError when there are more than `max_columns` cells a row.
IdxInput inspect_idx(const std::vector<std::string>& files, std::uint64_t max_columns);

/// Rows [begin, end) of the input, chunk by chunk. Plain files are read from the first byte needed; compressed ones
/// must be decompressed up to there. The reader of the last row also checks that nothing follows it.
class IdxRows {
  public:
    IdxRows(const IdxInput& input, RowIndex begin, RowIndex end);
    ~IdxRows();
    IdxRows(const IdxRows&) = delete;
    IdxRows& operator=(const IdxRows&) = delete;

    /// Appends up to `most_rows` rows to `out` (made with the input's schema) and returns how many; 0 at the end.
    /// Throws FormatError when a file ends early or goes on, InputError on an infinite cell or an int32 that means
    /// "missing" in a table. NaN cells are missing.
    std::size_t next(std::size_t most_rows, data::TableShard& out);

  private:
    class Stream;
    std::unique_ptr<Stream> cells_;
    std::unique_ptr<Stream> labels_;
    RowIndex next_row_;
    RowIndex end_;
    bool reads_last_row_;
};

}  // namespace regrove::ingest
