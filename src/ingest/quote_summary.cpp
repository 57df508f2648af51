// Text without a quote changes nothing and costs one memchr; the two walks meet soon after the first closing quote.
#include "regrove/ingest/quote_summary.hpp"

#include <cstring>

#include "regrove/ingest/record_walk.hpp"
#include "regrove/ingest/text_check.hpp"

namespace regrove::ingest {
namespace {

bool has_quote(std::string_view text, const Dialect& dialect) {
    return dialect.quote != '\0' && std::memchr(text.data(), dialect.quote, text.size()) != nullptr;
}

/// Walks from a record start to the end; returns whether the text ends inside quotes.
bool walk_records(const RecordWalk& walk, const char* p, const char* end) {
    NoFields none;
    while (p != end) {
        const WalkResult result = walk.record(p, none);
        if (result.end == WalkEnd::inside) return true;
        p = result.next;
    }
    return false;
}

}  // namespace

QuoteSummary summarise_quotes(std::string_view lines, const Dialect& dialect) {
    QuoteSummary summary;
    if (lines.empty()) return summary;
    summary.bytes = lines.size();
    summary.lines = count_line_ends(lines);
    summary.first_record[0] = 0;
    if (!has_quote(lines, dialect)) return summary;
    const FieldEnds ends(dialect);
    const char* end = lines.data() + lines.size();
    const RecordWalk walk(dialect, ends, end);
    NoFields none;
    const WalkResult resync = walk.from_inside(lines.data(), none);
    summary.ends_inside[0] = walk_records(walk, lines.data(), end);
    if (resync.end == WalkEnd::inside) return summary;
    const auto offset = static_cast<std::uint64_t>(resync.next - lines.data());
    summary.ends_inside[1] = walk_records(walk, resync.next, end);
    if (offset == lines.size()) {
        // The next record begins where the next range does.
        summary.ends_inside[1] = false;
        return summary;
    }
    summary.first_record[1] = offset;
    summary.lines_before[1] = count_line_ends(lines.substr(0, offset));
    return summary;
}

QuoteSummary merge(const QuoteSummary& left, const QuoteSummary& right) {
    if (left.bytes == 0) return right;
    if (right.bytes == 0) return left;
    QuoteSummary both;
    both.bytes = left.bytes + right.bytes;
    both.lines = left.lines + right.lines;
    for (std::size_t start = 0; start < 2; ++start) {
        const std::size_t middle = left.ends_inside[start] ? 1 : 0;
        both.ends_inside[start] = right.ends_inside[middle];
        both.first_record[start] = left.first_record[start];
        both.lines_before[start] = left.lines_before[start];
        if (left.first_record[start] != k_no_record || right.first_record[middle] == k_no_record) continue;
        both.first_record[start] = left.bytes + right.first_record[middle];
        both.lines_before[start] = left.lines + right.lines_before[middle];
    }
    return both;
}

}  // namespace regrove::ingest
