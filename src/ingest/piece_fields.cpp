// Slices records and sets those aside that have the wrong number of fields, broken quotes or cells that do not fit.
#include "regrove/ingest/piece_fields.hpp"

#include <utility>

#include "regrove/ingest/excerpt.hpp"
#include "regrove/ingest/record_walk.hpp"
#include "regrove/ingest/text_check.hpp"

namespace regrove::ingest {

std::string unescape(std::string_view text, const Dialect& dialect) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool takes_next = (dialect.escape != '\0' && text[i] == dialect.escape) || text[i] == dialect.quote;
        if (takes_next && i + 1 < text.size()) ++i;
        out += text[i];
    }
    return out;
}

/// Collects one record's fields behind those of the rows before it.
class PieceFields::Sink {
  public:
    explicit Sink(PieceFields& owner) : owner_(owner) {}
    void start() {
        first_ = owner_.fields_.size();
        quoted_ = false;
        broken_at_ = nullptr;
    }
    void field(const char* begin, const char* end, bool quoted, bool escaped) {
        quoted_ = quoted_ || quoted;
        if (escaped) {
            owner_.unescaped_.push_back(unescape({begin, static_cast<std::size_t>(end - begin)}, owner_.dialect_));
            const std::string& text = owner_.unescaped_.back();
            begin = text.data();
            end = begin + text.size();
        }
        owner_.fields_.push_back({begin, static_cast<std::uint32_t>(end - begin), quoted});
    }
    void text_behind_quote(const char* at) {
        if (broken_at_ == nullptr) broken_at_ = at;
    }
    std::size_t count() const { return owner_.fields_.size() - first_; }
    std::size_t first() const { return first_; }
    bool quoted() const { return quoted_; }
    const char* broken_at() const { return broken_at_; }

  private:
    PieceFields& owner_;
    std::size_t first_ = 0;
    bool quoted_ = false;
    const char* broken_at_ = nullptr;
};

PieceFields::PieceFields(const Piece& piece, std::uint64_t file, const Dialect& dialect, std::size_t columns,
                         const RowCheck& check)
    : piece_(piece), file_(file), dialect_(dialect), columns_(columns) {
    const FieldEnds ends(dialect_);
    const char* p = piece.text.data();
    const char* end = p + piece.text.size();
    const RecordWalk walk(dialect_, ends, end);
    Sink sink(*this);
    std::uint64_t line = piece.first_line;
    fields_.reserve(piece.text.size() / 6);
    while (p != end) {
        sink.start();
        const WalkResult result = walk.record(p, sink);
        if (result.end != WalkEnd::blank)
            finish_record(p, result.next, line, sink, result.end == WalkEnd::inside, check);
        // Only a quoted field can hold line ends.
        const bool several = sink.quoted() || result.end == WalkEnd::inside;
        line += several ? count_line_ends({p, static_cast<std::size_t>(result.next - p)}) : 1;
        p = result.next;
    }
}

void PieceFields::reject(const char* record, const char* end, CellPlace place, std::string reason) {
    std::string_view text(record, static_cast<std::size_t>(end - record));
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.ends_with('\r')) text.remove_suffix(1);
    bad_rows_.push_back({place, std::move(reason), std::string(text)});
}

void PieceFields::finish_record(const char* record, const char* end, std::uint64_t line, const Sink& sink, bool open,
                                const RowCheck& check) {
    std::string reason;
    CellPlace place{file_, line, 1};
    if (open) {
        reason = "a quote is opened and never closed; if quotes are plain letters here, use --quote none";
    } else if (sink.broken_at() != nullptr) {
        place = place_in(record, line, sink.broken_at());
        const bool backslash = sink.broken_at() - 2 >= record && sink.broken_at()[-2] == '\\';
        reason = backslash ? "text behind a closing quote; if a backslash escapes quotes here, use --escape '\\'"
                           : "text behind a closing quote; a quote inside quotes must be doubled";
    } else if (sink.count() != columns_) {
        reason = std::to_string(sink.count()) + (sink.count() == 1 ? " field" : " fields") + " where " +
                 std::to_string(columns_) + " are expected";
    } else {
        const std::size_t misfit = check.first_misfit(fields_.data() + sink.first(), reason);
        if (misfit == RowCheck::k_fits) {
            row_begins_.push_back(record);
            row_lines_.push_back(line);
            return;
        }
        place = place_in(record, line, fields_[sink.first() + misfit].begin);
    }
    fields_.resize(sink.first());
    reject(record, end, place, std::move(reason));
}

CellPlace PieceFields::place_in(const char* record, std::uint64_t line, const char* at) const {
    const char* begin = piece_.text.data();
    if (at < record || at > begin + piece_.text.size()) return {file_, line, 1};  // an unescaped copy
    const std::string_view before(record, static_cast<std::size_t>(at - record));
    const std::size_t line_end = before.find_last_of("\r\n");
    const std::size_t column = line_end == std::string_view::npos ? before.size() : before.size() - line_end - 1;
    return {file_, line + (before.empty() ? 0 : count_line_ends(before)), column + 1};
}

CellPlace PieceFields::place(std::size_t row, std::size_t column) const {
    return place_in(row_begins_[row], row_lines_[row], fields_[row * columns_ + column].begin);
}

namespace {

struct CopyFields {
    FirstRecordFields& out;
    const Dialect& dialect;
    void field(const char* begin, const char* end, bool quoted, bool escaped) {
        const std::string_view text(begin, static_cast<std::size_t>(end - begin));
        out.fields.push_back(escaped ? unescape(text, dialect) : std::string(text));
        out.quoted.push_back(quoted);
    }
    void text_behind_quote(const char*) {}
};

}  // namespace

FirstRecordFields read_first_record(std::string_view text, const Dialect& dialect) {
    FirstRecordFields out;
    const FieldEnds ends(dialect);
    const char* p = text.data();
    const char* end = p + text.size();
    const RecordWalk walk(dialect, ends, end);
    CopyFields sink{out, dialect};
    while (p != end) {
        const WalkResult result = walk.record(p, sink);
        p = result.next;
        out.open_quote = result.end == WalkEnd::inside;
        if (result.end == WalkEnd::blank) continue;
        out.bytes = static_cast<std::size_t>(p - text.data());
        return out;
    }
    return out;
}

}  // namespace regrove::ingest
