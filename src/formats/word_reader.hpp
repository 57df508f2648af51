// Words of a text one after the other, each with its line and column for the errors about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace regrove::formats {

struct Word {
    std::string_view text;
    std::uint64_t line = 1;
    std::uint64_t column = 1;
};

/// Refers to text and file name, which must outlive it. Blanks, tabs and line ends of any kind stand between words.
class WordReader {
  public:
    WordReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    /// Throws FormatError when the text ends: "the file ends where `what` should be".
    Word next(std::string_view what);
    /// What is left of the line, without the blanks around it; may be empty.
    Word rest_of_line();
    bool at_end();

    /// The next word, which must be this one.
    void expect(std::string_view word);
    /// The next word as a whole number of low .. high.
    std::int64_t whole(std::string_view what, std::int64_t low, std::int64_t high);
    /// The same of a word that was taken before.
    std::int64_t whole_of(const Word& word, std::string_view what, std::int64_t low, std::int64_t high) const;
    /// A finite number.
    double number(std::string_view what);

    /// Throws FormatError: "file:line:column: message".
    [[noreturn]] void fail(const Word& at, const std::string& message) const;

  private:
    void skip_blanks(std::string_view blanks);
    void advance(std::size_t count);
    Word here() const { return {{}, line_, column_}; }

    std::string_view text_;  ///< what is still to be read
    const std::string& file_;
    std::uint64_t line_ = 1;
    std::uint64_t column_ = 1;
};

}  // namespace regrove::formats
