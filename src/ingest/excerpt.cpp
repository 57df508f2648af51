// Escapes and cuts text by UTF-8 characters.
#include "regrove/ingest/excerpt.hpp"

#include <cstdint>

namespace regrove::ingest {
namespace {

constexpr std::size_t k_most_bytes = 40;

unsigned char byte_at(std::string_view text, std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

/// Length of the well-formed UTF-8 character at `i` (RFC 3629: no overlong forms, no surrogates), or 0.
std::size_t character_length(std::string_view text, std::size_t i) {
    const unsigned lead = byte_at(text, i);
    const unsigned second = byte_at(text, i + 1);
    const auto continues = [&](std::size_t k) { return (byte_at(text, i + k) & 0xc0U) == 0x80U; };
    if (lead < 0x80U) return 1;
    if (lead >= 0xc2U && lead <= 0xdfU) return continues(1) ? 2 : 0;
    if (lead >= 0xe0U && lead <= 0xefU) {
        if (lead == 0xe0U && second < 0xa0U) return 0;
        if (lead == 0xedU && second >= 0xa0U) return 0;
        return continues(1) && continues(2) ? 3 : 0;
    }
    if (lead >= 0xf0U && lead <= 0xf4U) {
        if (lead == 0xf0U && second < 0x90U) return 0;
        if (lead == 0xf4U && second >= 0x90U) return 0;
        return continues(1) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

void append_escaped(std::string& out, unsigned char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\x";
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
}

}  // namespace

std::string excerpt(std::string_view text) {
    std::string out = "'";
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t length = character_length(text, i);
        if (i + (length == 0 ? 1 : length) > k_most_bytes) break;
        const unsigned char byte = byte_at(text, i);
        if (length == 0 || byte < 0x20U || byte == 0x7fU) {
            append_escaped(out, byte);
            ++i;
        } else {
            out.append(text.substr(i, length));
            i += length;
        }
    }
    out += i < text.size() ? "...'" : "'";
    return out;
}

}  // namespace regrove::ingest
