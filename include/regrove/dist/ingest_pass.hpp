// One pass of a rank over its rows: summaries, local dictionaries, bad rows, and the cells while they fit in memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/core/error.hpp"
#include "regrove/ingest/category_dictionary.hpp"
#include "regrove/ingest/piece_parser.hpp"
#include "regrove/ingest/text_layout.hpp"

namespace regrove::dist {

class IngestPass {
  public:
    /// Cells are kept as long as they take at most `keep_bytes`.
    IngestPass(const ingest::TextLayout& layout, std::size_t columns, ingest::BadRowPolicy policy,
               std::uint64_t keep_bytes);

    /// Takes the next piece in file order. Throws InputError at the first bad row unless they are skipped.
    void take(ingest::ParsedPiece piece);

    std::uint64_t rows = 0;
    std::vector<ingest::CellSummary> summaries;
    std::vector<ingest::CategoryDictionary> dictionaries;
    /// Per column 1 when some cells were read as numbers (so that a dictionary would lack them), else 0.
    std::vector<std::uint64_t> read_as_numbers;
    /// Per column 1 when the dictionary passed k_most_levels and was given up.
    std::vector<std::uint64_t> too_many_levels;
    bool kept = true;
    std::vector<ingest::ParsedPiece> pieces;  ///< codes are those of `dictionaries`; empty unless kept
    std::uint64_t bad_rows = 0;
    std::vector<ingest::BadRow> rejected;

  private:
    void take_bad_rows(std::vector<ingest::BadRow>& bad);
    void take_codes(std::size_t column, ingest::ColumnChunk& chunk);

    const ingest::TextLayout& layout_;
    ingest::BadRowPolicy policy_;
    std::uint64_t keep_bytes_;
    std::uint64_t kept_bytes_ = 0;
    std::uint64_t rejected_bytes_ = 0;
};

/// file:line:column of a place.
TextPosition position_of(const ingest::TextLayout& layout, const ingest::CellPlace& place);

}  // namespace regrove::dist
