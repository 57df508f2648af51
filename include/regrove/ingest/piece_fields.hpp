// The fields of a piece's good rows as one matrix of slices into its text, and its bad rows.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/ingest/cell_summary.hpp"
#include "regrove/ingest/dialect.hpp"
#include "regrove/ingest/record_blocks.hpp"

namespace regrove::ingest {

struct Field {
    const char* begin = nullptr;
    std::uint32_t bytes = 0;
    bool quoted = false;
    std::string_view text() const { return {begin, bytes}; }
};

/// A row that cannot be read.
struct BadRow {
    CellPlace place;
    std::string reason;
    std::string text;  ///< the whole record, without its line end
};

/// Says whether a row's cells fit; returns the index of the first field that does not and sets `reason`.
class RowCheck {
  public:
    static constexpr std::size_t k_fits = static_cast<std::size_t>(-1);
    virtual ~RowCheck() = default;
    virtual std::size_t first_misfit(const Field* row, std::string& reason) const = 0;
};

/// Slices point into the piece's text, or into texts kept here where quotes were doubled or escaped.
class PieceFields {
  public:
    /// `file` is the index that places carry. O(bytes).
    PieceFields(const Piece& piece, std::uint64_t file, const Dialect& dialect, std::size_t columns,
                const RowCheck& check);

    std::size_t rows() const { return row_begins_.size(); }
    const Field* column(std::size_t column) const { return fields_.data() + column; }
    std::size_t columns() const { return columns_; }
    std::vector<BadRow>& bad_rows() { return bad_rows_; }
    /// Where the cell stands in the input. O(row's bytes).
    CellPlace place(std::size_t row, std::size_t column) const;

  private:
    class Sink;
    CellPlace place_in(const char* record, std::uint64_t line, const char* at) const;
    void finish_record(const char* record, const char* end, std::uint64_t line, const Sink& sink, bool open,
                       const RowCheck& check);
    void reject(const char* record, const char* end, CellPlace place, std::string reason);

    Piece piece_;
    std::uint64_t file_;
    Dialect dialect_;
    std::size_t columns_;
    std::vector<Field> fields_;
    std::vector<const char*> row_begins_;
    std::vector<std::uint64_t> row_lines_;
    std::deque<std::string> unescaped_;
    std::vector<BadRow> bad_rows_;
};

/// The fields of the first record of `text` that is neither blank nor a comment, unescaped, and the bytes up to
/// behind it; zero bytes when there is none. `quoted` tells which were in quotes.
struct FirstRecordFields {
    std::vector<std::string> fields;
    std::vector<bool> quoted;
    std::size_t bytes = 0;
    bool open_quote = false;  ///< the text ends inside quotes
};
FirstRecordFields read_first_record(std::string_view text, const Dialect& dialect);

/// A quoted field's text with doubled quotes and escapes resolved.
std::string unescape(std::string_view text, const Dialect& dialect);

}  // namespace regrove::ingest
