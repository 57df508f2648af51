// A block is read while nobody parses, then parsed by all threads; both take bounded memory.
#include "regrove/dist/ingest_reader.hpp"

#include "regrove/core/parallel.hpp"

namespace regrove::dist {
namespace {

std::uint64_t total_bytes(const ingest::TextLayout& layout, const std::vector<FilePart>& parts) {
    std::uint64_t total = 0;
    for (const FilePart& part : parts) total += stored_bytes(layout, part);
    return total;
}

}  // namespace

PartReader::PartReader(const ingest::TextLayout& layout, const std::vector<FilePart>& parts,
                       ingest::PieceParser& parser, ingest::BlockSizes sizes)
    : layout_(layout),
      parts_(parts),
      parser_(parser),
      sizes_(sizes),
      progress_("reading rows", total_bytes(layout, parts), "B") {}

bool PartReader::next_block(std::vector<ingest::Piece>& block) {
    for (;;) {
        if (blocks_ != nullptr) {
            block = blocks_->next();
            if (!block.empty()) return true;
            progress_.advance(stored_bytes(layout_, parts_[next_part_ - 1]));
            blocks_.reset();
        }
        if (next_part_ == parts_.size()) return false;
        const FilePart& part = parts_[next_part_++];
        blocks_ = std::make_unique<ingest::RecordBlocks>(open_part(layout_, part), layout_.files[part.file].path,
                                                         layout_.dialect, part.first_line, sizes_);
    }
}

void PartReader::learn(const std::vector<ingest::ParsedPiece>& pieces) {
    for (const ingest::ParsedPiece& piece : pieces)
        for (std::size_t column = 0; column < piece.columns.size(); ++column)
            if (piece.columns[column].kind == ingest::ChunkKind::codes) parser_.read_as_category(column);
}

bool PartReader::next(std::vector<ingest::ParsedPiece>& pieces) {
    std::vector<ingest::Piece> block;
    pieces.clear();
    if (!next_block(block)) return false;
    pieces.resize(block.size());
    const std::uint64_t file = parts_[next_part_ - 1].file;
    parallel_for(block.size(),
                 [&](std::size_t i) { pieces[i] = parser_.parse(block[i], file, layout_.files[file].path); });
    learn(pieces);
    return true;
}

}  // namespace regrove::dist
