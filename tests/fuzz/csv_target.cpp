// Delimited text: records and cells do not depend on how the text is cut into blocks and pieces.
#include <algorithm>
#include <cstring>
#include <memory>

#include "regrove/core/error.hpp"
#include "regrove/ingest/dialect_detection.hpp"
#include "regrove/ingest/piece_parser.hpp"
#include "regrove/ingest/quote_summary.hpp"

#include "fuzz/fuzz_target.hpp"

namespace regrove::fuzz {
namespace {

using namespace ingest;

class TextSource final : public ByteSource {
  public:
    explicit TextSource(std::string_view text) : text_(text) {}
    std::size_t read(char* buffer, std::size_t size) override {
        const std::size_t count = std::min(size, text_.size());
        std::memcpy(buffer, text_.data(), count);
        text_.remove_prefix(count);
        return count;
    }

  private:
    std::string_view text_;
};

/// What was read, as one text: rows as cells of every column, bad rows with place and reason.
struct Reading {
    std::vector<std::string> cells;
    std::string bad;
    std::uint64_t rows = 0;
    bool operator==(const Reading&) const = default;
};

Reading read_all(std::string_view text, const Dialect& dialect, std::size_t columns, BlockSizes sizes) {
    std::vector<ColumnRule> rules(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        rules[c].name = "c" + std::to_string(c);
        rules[c].mode = CellMode::text;
    }
    const PieceParser parser(dialect, rules, default_missing_markers());
    RecordBlocks blocks(std::make_unique<TextSource>(text), "input", dialect, 1, sizes);
    Reading all;
    all.cells.resize(columns);
    for (auto pieces = blocks.next(); !pieces.empty(); pieces = blocks.next()) {
        for (const Piece& piece : pieces) {
            const ParsedPiece parsed = parser.parse(piece, 0, "input");
            all.rows += parsed.rows;
            for (std::size_t c = 0; c < columns; ++c) {
                const auto* texts = std::get_if<std::vector<std::string>>(&parsed.columns[c].values);
                for (std::size_t r = 0; texts != nullptr && r < texts->size(); ++r)
                    all.cells[c] += (*texts)[r] + '\x1e';
            }
            for (const auto& bad : parsed.bad_rows) {
                all.bad +=
                    std::to_string(bad.place.line) + ':' + std::to_string(bad.place.column) + bad.reason + bad.text;
            }
        }
    }
    return all;
}

void check_quotes(std::string_view text, const Dialect& dialect) {
    const QuoteSummary whole = summarise_quotes(text, dialect);
    std::size_t cut = text.find('\n', text.size() / 2);
    cut = cut == std::string_view::npos ? text.size() : cut + 1;
    const QuoteSummary joined =
        merge(summarise_quotes(text.substr(0, cut), dialect), summarise_quotes(text.substr(cut), dialect));
    require(whole.bytes == joined.bytes && whole.lines == joined.lines && whole.ends_inside == joined.ends_inside &&
                whole.first_record == joined.first_record,
            "quotes of pieces merge to the whole");
}

void run(std::string_view text) {
    Dialect dialect;
    dialect.delimiter = detect_delimiter(text, dialect, true);
    const auto records = first_records(text, dialect, 20, true);
    detect_header(records, dialect, MissingMarkers(default_missing_markers()));
    const std::size_t columns = std::clamp<std::size_t>(usual_field_count(records), 1, 200);
    check_quotes(text, dialect);
    const Reading whole = read_all(text, dialect, columns, {});
    require(whole == read_all(text, dialect, columns, {7, 5}), "small blocks read the same");
    require(whole == read_all(text, dialect, columns, {64, 16}), "middle blocks read the same");
}

}  // namespace

Target csv_target() {
    return {"csv",
            run,
            {"\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", " ", "NA", "1e999", "\xef\xbb\xbf", "\xff"},
            6000};
}

}  // namespace regrove::fuzz
