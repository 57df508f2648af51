// Most tables are ASCII, so a pass of eight bytes at a time decides before any character is looked at.
#include "regrove/ingest/text_check.hpp"

#include <cstring>

#include "regrove/core/error.hpp"

namespace regrove::ingest {
namespace {

bool is_ascii_without_nul(std::string_view text) {
    std::size_t i = 0;
    std::uint64_t high = 0;
    for (; i + 8 <= text.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + i, 8);
        high |= word;
    }
    for (; i < text.size(); ++i) high |= static_cast<unsigned char>(text[i]);
    return (high & 0x8080808080808080U) == 0 && std::memchr(text.data(), '\0', text.size()) == nullptr;
}

struct LeadByte {
    std::size_t length = 0;      ///< of the whole character; 0: not a lead byte
    unsigned second_low = 0x80;  ///< bounds of the second byte, which rule out overlong forms and surrogates
    unsigned second_high = 0xbf;
};

LeadByte lead_byte(unsigned char byte) {
    if (byte < 0x80) return {1};
    if (byte >= 0xc2 && byte <= 0xdf) return {2};
    if (byte == 0xe0) return {3, 0xa0, 0xbf};
    if (byte == 0xed) return {3, 0x80, 0x9f};
    if (byte >= 0xe1 && byte <= 0xef) return {3};
    if (byte == 0xf0) return {4, 0x90, 0xbf};
    if (byte == 0xf4) return {4, 0x80, 0x8f};
    if (byte >= 0xf1 && byte <= 0xf3) return {4};
    return {};
}

/// Length of the valid character at `i`, or 0.
std::size_t character_bytes(std::string_view text, std::size_t i) {
    const LeadByte lead = lead_byte(static_cast<unsigned char>(text[i]));
    if (lead.length == 0 || i + lead.length > text.size()) return 0;
    for (std::size_t k = 1; k < lead.length; ++k) {
        const unsigned byte = static_cast<unsigned char>(text[i + k]);
        const bool fits = k == 1 ? byte >= lead.second_low && byte <= lead.second_high : (byte & 0xc0U) == 0x80U;
        if (!fits) return 0;
    }
    return lead.length;
}

TextPosition position_of(std::string_view text, std::size_t offset, const std::string& file,
                         std::uint64_t first_line) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_end = before.find_last_of("\r\n");
    return {file, first_line + count_line_ends(before),
            offset - (line_end == std::string_view::npos ? 0 : line_end + 1) + 1};
}

}  // namespace

std::uint64_t count_line_ends(std::string_view text) {
    std::uint64_t lines = 0;
    if (std::memchr(text.data(), '\r', text.size()) == nullptr) {
        for (const char c : text) lines += c == '\n' ? 1U : 0U;
        return lines;
    }
    for (std::size_t i = 0; i < text.size(); ++i)
        lines += text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) ? 1U : 0U;
    return lines;
}

void check_text(std::string_view text, const std::string& file, std::uint64_t first_line) {
    if (text.empty() || is_ascii_without_nul(text)) return;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = text[i] == '\0' ? 0 : character_bytes(text, i);
        if (length == 0) {
            const TextPosition position = position_of(text, i, file, first_line);
            if (text[i] == '\0')
                throw InputError(position,
                                 "a NUL byte: this is no text table, or it is UTF-16; convert it to UTF-8 "
                                 "first, for example with: iconv -f UTF-16 -t UTF-8");
            throw InputError(position,
                             "bytes that are not UTF-8; if the file is Latin-1 (ISO 8859-1), convert it first "
                             "with: iconv -f ISO-8859-1 -t UTF-8");
        }
        i += length;
    }
}

void check_byte_order_mark(std::string_view head, const std::string& file) {
    constexpr std::string_view utf32_little("\xff\xfe\0\0", 4);
    const bool utf32 = head.starts_with(utf32_little) || head.starts_with(std::string_view("\0\0\xfe\xff", 4));
    if (!utf32 && !head.starts_with("\xff\xfe") && !head.starts_with("\xfe\xff")) return;
    const std::string name = utf32 ? "UTF-32" : "UTF-16";
    throw InputError({file, 1, 1}, "the file is " + name +
                                       " by its byte order mark; convert it to UTF-8 first with: "
                                       "iconv -f " +
                                       name + " -t UTF-8");
}

std::size_t byte_order_mark_bytes(std::string_view head) { return head.starts_with("\xef\xbb\xbf") ? 3 : 0; }

}  // namespace regrove::ingest
