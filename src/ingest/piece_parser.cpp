// Checks the text, slices it into rows once, then reads it column by column.
#include "regrove/ingest/piece_parser.hpp"

#include <utility>

#include "regrove/ingest/text_check.hpp"

namespace regrove::ingest {

PieceParser::PieceParser(Dialect dialect, std::vector<ColumnRule> rules,
                         const std::vector<std::string>& missing_markers)
    : dialect_(std::move(dialect)),
      rules_(std::move(rules)),
      missing_(missing_markers),
      row_rules_(rules_, CellReading{missing_, dialect_.decimal_mark}) {
    for (const ColumnRule& rule : rules_) modes_.push_back(rule.mode);
}

ParsedPiece PieceParser::parse(const Piece& piece, std::uint64_t file, const std::string& file_name) const {
    check_text(piece.text, file_name, piece.first_line);
    PieceFields fields(piece, file, dialect_, rules_.size(), row_rules_);
    const CellReading reading{missing_, dialect_.decimal_mark};
    ParsedPiece parsed;
    parsed.rows = fields.rows();
    parsed.columns.resize(rules_.size());
    for (std::size_t column = 0; column < rules_.size(); ++column)
        if (modes_[column] != CellMode::skip)
            parsed.columns[column] = read_column(fields, column, modes_[column], reading);
    parsed.bad_rows = std::move(fields.bad_rows());
    return parsed;
}

}  // namespace regrove::ingest
