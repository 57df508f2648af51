// Advance widths of the printable ASCII characters, measured in the font files, and a guess for all others.
#include "regrove/draw/text_metrics.hpp"

#include <array>

#include "utf8.hpp"

namespace regrove::draw {
namespace {

constexpr char32_t k_first = 0x20;
using Widths = std::array<unsigned short, 95>;

// Thousandths of an em, U+0020 .. U+007E: the larger of DejaVu Sans 2.37 and Liberation Sans 2.1, rounded up.
constexpr Widths k_regular{318,  401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337,
                           637,  637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557,
                           1016, 685, 687, 723, 771, 667, 611, 778, 752, 295, 500, 667, 558, 863, 749, 788,
                           667,  788, 723, 667, 611, 732, 685, 989, 686, 667, 686, 391, 337, 391, 838, 557,
                           500,  613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612,
                           635,  635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838};
constexpr Widths k_bold{349,  457, 521, 838, 696, 1002, 873, 307,  458, 458, 523, 838, 380, 416,  380, 366,
                        696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 611,
                        1000, 774, 763, 734, 831, 684,  684, 821,  837, 373, 557, 775, 638, 996,  837, 851,
                        733,  851, 771, 721, 683, 813,  774, 1104, 771, 725, 726, 458, 366, 458,  838, 557,
                        500,  675, 716, 593, 716, 679,  436, 716,  712, 343, 343, 666, 343, 1042, 712, 688,
                        716,  716, 494, 596, 479, 712,  652, 924,  646, 652, 583, 712, 366, 712,  838};

// Other characters: the middle dot that separates figures, letters of European scripts, and the rest (ideographs).
constexpr double k_middle_dot = 380;
constexpr double k_letter = 850;
constexpr double k_other = 1050;

double thousandths(char32_t c, FontWeight weight) {
    const Widths& widths = weight == FontWeight::bold ? k_bold : k_regular;
    if (c >= k_first && c < k_first + widths.size()) return widths[c - k_first];
    if (c == 0xB7) return k_middle_dot;
    return c < 0x2000 ? k_letter : k_other;
}

// Byte offset after the longest beginning that is at most `room` wide.
std::size_t head_within(std::string_view text, Font font, double room) {
    std::size_t at = 0;
    double used = 0;
    while (at < text.size()) {
        const CodePoint point = code_point_at(text, at);
        used += thousandths(point.value, font.weight) * font.size / 1000;
        if (used > room) break;
        at += point.bytes;
    }
    return at;
}

// Byte offset of the longest ending that is at most `room` wide, not before `from`.
std::size_t tail_within(std::string_view text, Font font, double room, std::size_t from) {
    double width = text_width(text.substr(from), font);
    while (from < text.size() && width > room) {
        const CodePoint point = code_point_at(text, from);
        width -= thousandths(point.value, font.weight) * font.size / 1000;
        from += point.bytes;
    }
    return from;
}

}  // namespace

double text_width(std::string_view text, Font font) {
    double sum = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        sum += thousandths(point.value, font.weight);
        at += point.bytes;
    }
    return sum * font.size / 1000;
}

std::string shortened(std::string_view text, Font font, double max_width) {
    if (text_width(text, font) <= max_width) return std::string(text);
    constexpr std::string_view dots = "…";
    const double room = max_width - text_width(dots, font);
    const std::size_t head = head_within(text, font, room * 0.6);
    const double rest = room - text_width(text.substr(0, head), font);
    const std::size_t tail = tail_within(text, font, rest, head);
    return std::string(text.substr(0, head)).append(dots).append(text.substr(tail));
}

}  // namespace regrove::draw
