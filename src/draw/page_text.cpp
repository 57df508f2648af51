// Greedy line breaking; text attributes in one place.
#include "page_text.hpp"

#include <algorithm>

namespace regrove::draw {

void write_text(SvgWriter& svg, double x, double baseline, Font font, Color color, std::string_view text,
                TextAnchor anchor) {
    SvgWriter::Attributes attributes;
    attributes.set("x", x).set("y", baseline).set("font-size", font.size).set("fill", color);
    if (font.weight == FontWeight::bold) attributes.set("font-weight", "bold");
    if (anchor == TextAnchor::middle) attributes.set("text-anchor", "middle");
    if (anchor == TextAnchor::end) attributes.set("text-anchor", "end");
    svg.text("text", attributes, text);
}

std::vector<std::string> wrapped_text(std::string_view text, Font font, double width) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word(text.substr(at, end - at));
        std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
        if (!lines.back().empty() && text_width(longer, font) > width)
            lines.push_back(word);
        else
            lines.back() = std::move(longer);
        at = end + 1;
    }
    return lines;
}

}  // namespace regrove::draw
