// Reads one rank's parts block by block, parsing the pieces of a block on several threads.
#pragma once

#include <memory>
#include <vector>

#include "regrove/core/progress.hpp"
#include "regrove/dist/ingest_parts.hpp"
#include "regrove/ingest/piece_parser.hpp"
#include "regrove/ingest/record_blocks.hpp"

namespace regrove::dist {

/// Pieces come in file order, whatever the number of threads. Does not communicate. Holds references.
class PartReader {
  public:
    PartReader(const ingest::TextLayout& layout, const std::vector<FilePart>& parts, ingest::PieceParser& parser,
               ingest::BlockSizes sizes);
    /// The pieces of the next block; false at the end. Throws IoError, FormatError or InputError.
    bool next(std::vector<ingest::ParsedPiece>& pieces);

  private:
    bool next_block(std::vector<ingest::Piece>& block);
    void learn(const std::vector<ingest::ParsedPiece>& pieces);

    const ingest::TextLayout& layout_;
    const std::vector<FilePart>& parts_;
    ingest::PieceParser& parser_;
    ingest::BlockSizes sizes_;
    std::size_t next_part_ = 0;
    std::unique_ptr<ingest::RecordBlocks> blocks_;
    Progress progress_;
};

}  // namespace regrove::dist
