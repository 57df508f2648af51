// Decoding of UTF-8 by the table of well-formed byte sequences (Unicode 15, table 3-7).
#include "utf8.hpp"

namespace regrove::draw {
namespace {

constexpr char32_t k_replacement = 0xFFFD;

std::size_t length_from_first(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) return 3;
    if (first >= 0xF0 && first <= 0xF4) return 4;
    return 0;
}

bool too_long_or_surrogate(char32_t value, std::size_t length) {
    if (length == 3) return value < 0x800 || (value >= 0xD800 && value <= 0xDFFF);
    return length == 4 && (value < 0x10000 || value > 0x10FFFF);
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = length_from_first(first);
    if (length == 1) return {first, 1, true};
    if (length == 0 || at + length > text.size()) return {k_replacement, 1, false};
    char32_t value = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xC0U) != 0x80U) return {k_replacement, 1, false};
        value = (value << 6) | (next & 0x3FU);
    }
    if (too_long_or_surrogate(value, length)) return {k_replacement, 1, false};
    return {value, length, true};
}

}  // namespace regrove::draw
