// A strict little reader of the part of the DOT language that pictures use: its grammar of statements and quoted
// strings.
#pragma once

#include <cctype>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::draw::testing {

struct DotStatement {
    std::string from;                               ///< node, or "graph", "node", "edge"
    std::string to;                                 ///< of an edge statement, else empty
    std::map<std::string, std::string> attributes;  ///< strings with their escapes
};

class DotReader {
  public:
    explicit DotReader(std::string_view text) : text_(text) {}

    /// The statements of `digraph NAME { ... }`. Throws std::runtime_error on anything against the grammar.
    std::vector<DotStatement> read() {
        if (word() != "digraph") fail("expected digraph");
        word();
        expect('{');
        std::vector<DotStatement> statements;
        while (!peek('}')) statements.push_back(statement());
        expect('}');
        blanks();
        if (next_ != text_.size()) fail("text after the graph");
        return statements;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(what + " at byte " + std::to_string(next_));
    }
    void blanks() {
        while (next_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[next_])) != 0) ++next_;
    }
    bool peek(char c) {
        blanks();
        return next_ < text_.size() && text_[next_] == c;
    }
    void expect(char c) {
        if (!peek(c)) fail(std::string("expected ") + c);
        ++next_;
    }

    // An identifier, a numeral or a quoted string.
    std::string word() {
        if (peek('"')) return quoted();
        const bool numeral = next_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[next_])) != 0;
        std::string found;
        while (next_ < text_.size() && is_word(text_[next_], numeral)) found += text_[next_++];
        if (found.empty()) fail("expected a word");
        return found;
    }
    static bool is_word(char c, bool numeral) {
        const auto u = static_cast<unsigned char>(c);
        return numeral ? std::isdigit(u) != 0 || c == '.' : std::isalnum(u) != 0 || c == '_';
    }
    std::string quoted() {
        expect('"');
        std::string found;
        while (next_ < text_.size() && text_[next_] != '"') {
            if (text_[next_] == '\\') found += text_[next_++];
            if (next_ < text_.size()) found += text_[next_++];
        }
        if (next_ >= text_.size()) fail("a string without end");
        ++next_;
        return found;
    }

    DotStatement statement() {
        DotStatement result{word(), "", {}};
        if (peek('-')) {
            expect('-');
            expect('>');
            result.to = word();
        }
        expect('[');
        while (!peek(']')) {
            const std::string key = word();
            expect('=');
            if (!result.attributes.emplace(key, word()).second) fail("attribute twice: " + key);
            if (!peek(']')) expect(',');
        }
        expect(']');
        expect(';');
        return result;
    }

    std::string_view text_;
    std::size_t next_ = 0;
};

inline std::vector<DotStatement> read_dot(std::string_view text) { return DotReader(text).read(); }

}  // namespace regrove::draw::testing
