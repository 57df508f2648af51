// Lines and columns are counted while words are taken.
#include "word_reader.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::formats {

namespace {

constexpr std::string_view k_blanks = " \t\r\n";
/// Longer words are cut in messages.
constexpr std::size_t k_shown_bytes = 40;

std::string quoted(std::string_view word) {
    return "'" + std::string(word.substr(0, k_shown_bytes)) + (word.size() > k_shown_bytes ? "...'" : "'");
}

}  // namespace

void WordReader::fail(const Word& at, const std::string& message) const {
    throw FormatError(to_string(TextPosition{file_, at.line, at.column}) + ": " + message);
}

void WordReader::advance(std::size_t count) {
    for (const char c : text_.substr(0, count)) {
        ++column_;
        if (c != '\n') continue;
        ++line_;
        column_ = 1;
    }
    text_.remove_prefix(count);
}

void WordReader::skip_blanks(std::string_view blanks) {
    advance(std::min(text_.find_first_not_of(blanks), text_.size()));
}

bool WordReader::at_end() {
    skip_blanks(k_blanks);
    return text_.empty();
}

Word WordReader::next(std::string_view what) {
    if (at_end()) fail(here(), "the file ends where " + std::string(what) + " should be");
    Word word = here();
    word.text = text_.substr(0, text_.find_first_of(k_blanks));
    advance(word.text.size());
    return word;
}

Word WordReader::rest_of_line() {
    skip_blanks(" \t");
    Word rest = here();
    rest.text = text_.substr(0, text_.find('\n'));
    advance(rest.text.size());
    const std::size_t last = rest.text.find_last_not_of(k_blanks);
    rest.text = rest.text.substr(0, last == std::string_view::npos ? 0 : last + 1);
    return rest;
}

void WordReader::expect(std::string_view word) {
    const Word found = next(quoted(word));
    if (found.text != word) fail(found, "expected " + quoted(word) + ", found " + quoted(found.text));
}

std::int64_t WordReader::whole(std::string_view what, std::int64_t low, std::int64_t high) {
    return whole_of(next(what), what, low, high);
}

std::int64_t WordReader::whole_of(const Word& word, std::string_view what, std::int64_t low,
                                  std::int64_t high) const {
    const auto parsed = parse_int64(word.text);
    if (parsed.status != NumberStatus::ok || parsed.value < low || parsed.value > high)
        fail(word, "expected " + std::string(what) + ", a whole number of " + std::to_string(low) + " to " +
                       std::to_string(high) + ", found " + quoted(word.text));
    return parsed.value;
}

double WordReader::number(std::string_view what) {
    const Word word = next(what);
    const auto parsed = parse_double(word.text);
    if (parsed.status != NumberStatus::ok || !std::isfinite(parsed.value))
        fail(word, "expected " + std::string(what) + ", a finite number, found " + quoted(word.text));
    return parsed.value;
}

}  // namespace regrove::formats
