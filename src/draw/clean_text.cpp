// Replaces what XML 1.0 forbids (section 2.2) and what would break a line.
#include "regrove/draw/clean_text.hpp"

#include "utf8.hpp"

namespace regrove::draw {
namespace {

constexpr std::string_view k_replacement = "\xEF\xBF\xBD";

bool breaks_line(char32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029;
}
bool forbidden(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF; }

}  // namespace

std::string clean_text(std::string_view bytes) {
    std::string clean;
    clean.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint point = code_point_at(bytes, at);
        if (breaks_line(point.value)) {
            clean += ' ';
        } else if (!point.valid || forbidden(point.value)) {
            clean += k_replacement;
        } else {
            clean += bytes.substr(at, point.bytes);
        }
        at += point.bytes;
    }
    return clean;
}

}  // namespace regrove::draw
