// Cuts one file's byte range into blocks of whole records, and those into pieces for the threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/ingest/dialect.hpp"
#include "regrove/ingest/line_blocks.hpp"

namespace regrove::ingest {

/// Consecutive whole records.
struct Piece {
    std::string_view text;
    std::uint64_t first_line = 1;  ///< of the file, from one
};

/// How a range is cut; the result does not depend on it.
struct BlockSizes {
    std::size_t block_bytes = std::size_t{4} << 20U;
    std::size_t piece_bytes = std::size_t{256} << 10U;
};

class RecordBlocks {
  public:
    /// `source` begins at a record's first byte, in line `first_line` of `file` (for messages).
    RecordBlocks(std::unique_ptr<ByteSource> source, std::string file, const Dialect& dialect,
                 std::uint64_t first_line, BlockSizes sizes);

    /// The next pieces, in order; empty at the end. Valid until the next call. A record that the end of the source
    /// leaves open is the last piece's last. Throws InputError when a record is longer than k_longest_record_bytes.
    std::vector<Piece> next();

  private:
    std::vector<std::string_view> cut(std::string_view lines, bool at_end) const;

    LineBlocks lines_;
    std::string file_;
    Dialect dialect_;
    std::uint64_t next_line_;
    std::size_t piece_bytes_;
};

}  // namespace regrove::ingest
