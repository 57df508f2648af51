// Pieces are merged in file order, so the local dictionaries do not depend on the number of threads.
#include "regrove/dist/ingest_pass.hpp"

#include <utility>

#include "regrove/dist/ingest_rejects.hpp"
#include "regrove/ingest/excerpt.hpp"

namespace regrove::dist {

using ingest::ChunkKind;

TextPosition position_of(const ingest::TextLayout& layout, const ingest::CellPlace& place) {
    return {layout.files[place.file].path, place.line, place.column};
}

IngestPass::IngestPass(const ingest::TextLayout& layout, std::size_t columns, ingest::BadRowPolicy policy,
                       std::uint64_t keep_bytes)
    : summaries(columns),
      dictionaries(columns),
      read_as_numbers(columns, 0),
      too_many_levels(columns, 0),
      layout_(layout),
      policy_(policy),
      keep_bytes_(keep_bytes) {}

void IngestPass::take_bad_rows(std::vector<ingest::BadRow>& bad) {
    if (bad.empty()) return;
    if (policy_ == ingest::BadRowPolicy::fail) {
        const ingest::BadRow& first = bad.front();
        throw InputError(position_of(layout_, first.place), first.reason + ": " + ingest::excerpt(first.text) +
                                                                " (--bad-rows skip goes on without such rows)");
    }
    bad_rows += bad.size();
    for (ingest::BadRow& row : bad) {
        rejected_bytes_ += row.text.size() + 1;
        rejected.push_back(std::move(row));
    }
    if (rejected_bytes_ > k_most_rejected_bytes)
        throw InputError(position_of(layout_, rejected.front().place),
                         "more than 64 MiB of bad rows, the first is here: " + rejected.front().reason +
                             "; do the options (--delimiter, --quote, --schema) suit the file?");
}

void IngestPass::take_codes(std::size_t column, ingest::ColumnChunk& chunk) {
    ingest::CategoryDictionary& dictionary = dictionaries[column];
    if (too_many_levels[column] != 0) return;
    std::vector<data::CategoryCode> code_of;
    code_of.reserve(chunk.names.size());
    for (const std::string& name : chunk.names) code_of.push_back(dictionary.add(name));
    for (std::int32_t& code : std::get<std::vector<std::int32_t>>(chunk.values))
        if (code >= 0) code = code_of[static_cast<std::size_t>(code)];
    chunk.names = {};
    if (dictionary.size() <= ingest::k_most_levels) return;
    too_many_levels[column] = 1;
    dictionary = {};
}

void IngestPass::take(ingest::ParsedPiece piece) {
    take_bad_rows(piece.bad_rows);
    rows += piece.rows;
    for (std::size_t column = 0; column < piece.columns.size(); ++column) {
        ingest::ColumnChunk& chunk = piece.columns[column];
        merge(summaries[column], chunk.summary);
        if (chunk.kind == ChunkKind::numbers) read_as_numbers[column] = 1;
        if (chunk.kind == ChunkKind::codes) take_codes(column, chunk);
        if (kept) kept_bytes_ += memory_bytes(chunk);
    }
    if (kept && kept_bytes_ > keep_bytes_) {
        kept = false;
        pieces = {};
    }
    if (kept) pieces.push_back(std::move(piece));
}

}  // namespace regrove::dist
