// Without a quote in a block every line end ends a record, so cuts are found by looking at a few bytes only.
#include "regrove/ingest/record_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/ingest/record_walk.hpp"
#include "regrove/ingest/text_check.hpp"

namespace regrove::ingest {
namespace {

/// Offset behind the first line end at or after `from`.
std::size_t behind_next_line_end(std::string_view text, std::size_t from) {
    for (std::size_t i = from; i < text.size(); ++i) {
        if (text[i] == '\n') return i + 1;
        if (text[i] == '\r') return i + 1 < text.size() && text[i + 1] == '\n' ? i + 2 : i + 1;
    }
    return text.size();
}

std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t piece_bytes) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t size = behind_next_line_end(text, std::min(piece_bytes, text.size()) - 1);
        pieces.push_back(text.substr(0, size));
        text.remove_prefix(size);
    }
    return pieces;
}

/// Cuts where records end; a last record inside quotes is left out unless it is `complete` as it stands.
std::vector<std::string_view> cut_at_records(std::string_view text, const Dialect& dialect, std::size_t piece_bytes,
                                             bool complete) {
    std::vector<std::string_view> pieces;
    const FieldEnds ends(dialect);
    const char* end = text.data() + text.size();
    const RecordWalk walk(dialect, ends, end);
    NoFields none;
    const char* begin = text.data();
    const char* p = begin;
    const auto push = [&] {
        if (p != begin) pieces.emplace_back(begin, static_cast<std::size_t>(p - begin));
        begin = p;
    };
    while (p != end) {
        const WalkResult result = walk.record(p, none);
        if (result.end == WalkEnd::inside && !complete) break;
        p = result.next;
        if (static_cast<std::size_t>(p - begin) >= piece_bytes) push();
    }
    push();
    return pieces;
}

}  // namespace

RecordBlocks::RecordBlocks(std::unique_ptr<ByteSource> source, std::string file, const Dialect& dialect,
                           std::uint64_t first_line, BlockSizes sizes)
    : lines_(std::move(source), sizes.block_bytes),
      file_(std::move(file)),
      dialect_(dialect),
      next_line_(first_line),
      piece_bytes_(std::max<std::size_t>(sizes.piece_bytes, 1)) {}

std::vector<std::string_view> RecordBlocks::cut(std::string_view lines, bool at_end) const {
    if (dialect_.quote == '\0' || std::memchr(lines.data(), dialect_.quote, lines.size()) == nullptr)
        return cut_at_lines(lines, piece_bytes_);
    return cut_at_records(lines, dialect_, piece_bytes_, at_end);
}

std::vector<Piece> RecordBlocks::next() {
    for (;;) {
        const std::string_view lines = lines_.fill();
        if (lines_.too_long() || (lines.size() > k_longest_record_bytes && cut(lines, lines_.at_end()).empty()))
            throw InputError({file_, next_line_, 0},
                             "a row of more than 64 MiB begins here; is a quote opened and never closed?");
        if (lines.empty()) return {};
        const std::vector<std::string_view> texts = cut(lines, lines_.at_end());
        std::vector<Piece> pieces;
        for (const std::string_view text : texts) {
            lines_.take(text.size());
            pieces.push_back({text, next_line_});
            next_line_ += count_line_ends(text);
        }
        if (!pieces.empty()) return pieces;
    }
}

}  // namespace regrove::ingest
