// The one reading of quotes, delimiters and line ends: walks a record and hands its fields to a sink.
//
// Both the search for record boundaries and the slicing into fields use this walk, so they cannot disagree. A quote
// opens a quoted field only as the first character of a field that is no blank; elsewhere it is a letter. Behind a
// closing quote only blanks may follow; anything else makes the record malformed, and its rest is taken as unquoted.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "regrove/ingest/dialect.hpp"

namespace regrove::ingest {

enum class WalkEnd : std::uint8_t {
    record,  ///< a record ended
    blank,   ///< a blank line or a comment was skipped
    inside,  ///< the text ended inside quotes
};

struct WalkResult {
    const char* next = nullptr;  ///< behind the line end, or the end of the text
    WalkEnd end = WalkEnd::record;
};

/// A sink for walks that look for boundaries only.
struct NoFields {
    void field(const char*, const char*, bool /*quoted*/, bool /*escaped*/) {}
    void text_behind_quote(const char*) {}
};

/// Which bytes end an unquoted field.
class FieldEnds {
  public:
    explicit FieldEnds(const Dialect& dialect) {
        for (const char c : {'\n', '\r', dialect.delimiter}) ends_[static_cast<unsigned char>(c)] = true;
        if (dialect.blank_runs()) ends_[static_cast<unsigned char>('\t')] = true;
    }
    const char* find(const char* p, const char* end) const {
        while (p != end && !ends_[static_cast<unsigned char>(*p)]) ++p;
        return p;
    }

  private:
    std::array<bool, 256> ends_{};
};

/// Walks records of a text that ends with a whole line. Cheap to make; holds references.
class RecordWalk {
  public:
    RecordWalk(const Dialect& dialect, const FieldEnds& ends, const char* end)
        : dialect_(dialect), ends_(ends), end_(end) {}

    /// From a record's first byte `p` (before the end).
    template <class Sink>
    WalkResult record(const char* p, Sink& sink) const {
        const char* start = p;
        while (p != end_ && (dialect_.is_blank(*p) || (dialect_.blank_runs() && *p == ' '))) ++p;
        if (p == end_ || *p == '\n' || *p == '\r') return {behind_line_end(p), WalkEnd::blank};
        if (!dialect_.comment.empty() && std::string_view(p, rest(p)).starts_with(dialect_.comment))
            return {behind_line_end(find_line_end(p)), WalkEnd::blank};
        return fields(dialect_.blank_runs() ? p : start, sink);
    }

    /// From a byte inside a quoted field, whose beginning is not known.
    template <class Sink>
    WalkResult from_inside(const char* p, Sink& sink) const {
        bool escaped = false;
        const char* close = closing_quote(p, escaped);
        if (close == nullptr) return {end_, WalkEnd::inside};
        p = behind_field(close + 1, sink);
        return at_line_end(p) ? WalkResult{behind_line_end(p), WalkEnd::record} : fields(p + 1, sink);
    }

    /// Behind a line end at `p`, or `p` itself at the end of the text.
    const char* behind_line_end(const char* p) const {
        if (p == end_) return p;
        return *p == '\r' && p + 1 != end_ && p[1] == '\n' ? p + 2 : p + 1;
    }

  private:
    std::size_t rest(const char* p) const { return static_cast<std::size_t>(end_ - p); }
    bool at_line_end(const char* p) const { return p == end_ || *p == '\n' || *p == '\r'; }
    const char* find_line_end(const char* p) const {
        while (!at_line_end(p)) ++p;
        return p;
    }

    template <class Sink>
    WalkResult fields(const char* p, Sink& sink) const {
        for (;;) {
            const char* start = p;
            while (p != end_ && dialect_.is_blank(*p)) ++p;
            if (p != end_ && *p == dialect_.quote && dialect_.quote != '\0') {
                bool escaped = false;
                const char* close = closing_quote(p + 1, escaped);
                if (close == nullptr) return {end_, WalkEnd::inside};
                sink.field(p + 1, close, true, escaped);
                p = behind_field(close + 1, sink);
            } else {
                p = ends_.find(p, end_);
                unquoted(start, p, sink);
            }
            if (dialect_.blank_runs()) p = last_of_blank_run(p);
            if (at_line_end(p)) return {behind_line_end(p), WalkEnd::record};
            ++p;
        }
    }

    template <class Sink>
    void unquoted(const char* begin, const char* end, Sink& sink) const {
        while (begin != end && dialect_.is_blank(*begin)) ++begin;
        while (begin != end && dialect_.is_blank(end[-1])) --end;
        sink.field(begin, end, false, false);
    }

    /// The delimiter or line end behind a closed quote.
    template <class Sink>
    const char* behind_field(const char* p, Sink& sink) const {
        while (p != end_ && dialect_.is_blank(*p)) ++p;
        const char* field_end = ends_.find(p, end_);
        if (field_end != p) sink.text_behind_quote(p);
        return field_end;
    }

    /// The last blank of a run between fields, or the line end when only blanks lie before it.
    const char* last_of_blank_run(const char* p) const {
        if (at_line_end(p)) return p;
        while (p + 1 != end_ && (p[1] == ' ' || p[1] == '\t')) ++p;
        return at_line_end(p + 1) ? p + 1 : p;
    }

    const char* closing_quote(const char* p, bool& escaped) const {
        for (; p != end_; ++p) {
            if (dialect_.escape == '\0') {
                p = static_cast<const char*>(std::memchr(p, dialect_.quote, rest(p)));
                if (p == nullptr) return nullptr;
            } else if (*p == dialect_.escape) {
                escaped = true;
                if (++p == end_) return nullptr;
                continue;
            }
            if (*p != dialect_.quote) continue;
            if (p + 1 == end_ || p[1] != dialect_.quote) return p;
            escaped = true;
            ++p;
        }
        return nullptr;
    }

    const Dialect& dialect_;
    const FieldEnds& ends_;
    const char* end_;
};

}  // namespace regrove::ingest
