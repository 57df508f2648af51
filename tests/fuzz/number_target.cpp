// Numbers: the parsers agree with the C library, and the shortest text reads back to the same bits.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "regrove/core/number_text.hpp"
#include "regrove/ingest/number_cell.hpp"

#include "fuzz/fuzz_target.hpp"

namespace regrove::fuzz {
namespace {

void check_double(const std::string& text) {
    const auto parsed = parse_double(text);
    const auto cell = ingest::read_number_or_code(text, '.');
    if (parsed.status != NumberStatus::ok) return;
    char* end = nullptr;
    const double expected = std::strtod(text.c_str(), &end);
    require(end == text.c_str() + text.size(), "the C library takes the whole text too");
    require(std::bit_cast<std::uint64_t>(parsed.value) == std::bit_cast<std::uint64_t>(expected),
            "the bits are right");
    const auto again = parse_double(to_text(parsed.value));
    require(std::bit_cast<std::uint64_t>(again.value) == std::bit_cast<std::uint64_t>(parsed.value), "text and back");
    if (cell.kind == ingest::NumberKind::real) require(cell.real == expected, "cells have the same value");
}

void run(std::string_view bytes) {
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        const std::string text(bytes.substr(begin, end - begin));
        begin = end + 1;
        // The C library stops at a NUL and knows blanks, hexadecimal and words, which are refused here.
        if (text.find_first_not_of("+-.0123456789eE") == std::string::npos) check_double(text);
        parse_float(text);
        const auto integer = parse_int64(text);
        if (integer.status == NumberStatus::ok) {
            require(parse_int64(to_text(integer.value)).value == integer.value, "integers survive");
        }
    }
}

}  // namespace

Target number_target() {
    return {"number", run, {"e", "E", "-", "+", ".", "0", "e-324", "e308", "99999999", "\n"}, 6000};
}

}  // namespace regrove::fuzz
