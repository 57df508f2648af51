// Parses pieces into column chunks: the local kernel of ingest, free of communication.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/ingest/column_chunk.hpp"
#include "regrove/ingest/column_rule.hpp"
#include "regrove/ingest/dialect.hpp"
#include "regrove/ingest/missing_markers.hpp"
#include "regrove/ingest/row_rules.hpp"

namespace regrove::ingest {

struct ParsedPiece {
    std::uint64_t rows = 0;
    std::vector<ColumnChunk> columns;  ///< one per rule; of skipped columns without cells
    std::vector<BadRow> bad_rows;
};

/// Reads pieces by fixed rules. parse() is safe to call from several threads.
class PieceParser {
  public:
    PieceParser(Dialect dialect, std::vector<ColumnRule> rules, const std::vector<std::string>& missing_markers);
    PieceParser(const PieceParser&) = delete;
    PieceParser& operator=(const PieceParser&) = delete;

    /// `file` is the index that places carry and `file_name` the name for InputError (bytes that are not UTF-8).
    ParsedPiece parse(const Piece& piece, std::uint64_t file, const std::string& file_name) const;

    const std::vector<ColumnRule>& rules() const { return rules_; }
    /// From now on the column's cells are texts: a text was met where numbers were expected. Not during parse().
    void read_as_category(std::size_t column) { modes_[column] = CellMode::category; }

  private:
    Dialect dialect_;
    std::vector<ColumnRule> rules_;
    std::vector<CellMode> modes_;
    MissingMarkers missing_;
    RowRules row_rules_;
};

}  // namespace regrove::ingest
