// Elements go out as they come; nothing is kept but the names of those still open.
#include "regrove/draw/svg_writer.hpp"

#include <cmath>
#include <cstdint>

#include "regrove/core/check.hpp"

namespace regrove::draw {

std::string escape_xml(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else if (c == '"')
            escaped += "&quot;";
        else
            escaped += c;
    }
    return escaped;
}

std::string coordinate_text(double value) {
    const auto hundredths = static_cast<std::int64_t>(std::floor(value * 100 + 0.5));
    const std::int64_t size = hundredths < 0 ? -hundredths : hundredths;
    std::string text = (hundredths < 0 ? "-" : "") + std::to_string(size / 100);
    const std::int64_t part = size % 100;
    if (part == 0) return text;
    text += '.';
    text += static_cast<char>('0' + part / 10);
    if (part % 10 != 0) text += static_cast<char>('0' + part % 10);
    return text;
}

SvgWriter::Attributes& SvgWriter::Attributes::set(std::string_view name, std::string_view value) {
    text_.append(" ").append(name).append("=\"").append(escape_xml(value)).append("\"");
    return *this;
}

SvgWriter::Attributes& SvgWriter::Attributes::set(std::string_view name, double value) {
    return set(name, std::string_view(coordinate_text(value)));
}

SvgWriter::Attributes& SvgWriter::Attributes::set(std::string_view name, Color color) {
    return set(name, std::string_view(to_hex(color)));
}

void SvgWriter::indent() { out_.append(2 * open_.size(), ' '); }

void SvgWriter::open(std::string_view element, const Attributes& attributes) {
    indent();
    out_.append("<").append(element).append(attributes.text()).append(">\n");
    open_.emplace_back(element);
}

void SvgWriter::close() {
    REGROVE_CHECK(!open_.empty());
    const std::string element = open_.back();
    open_.pop_back();
    indent();
    out_.append("</").append(element).append(">\n");
}

void SvgWriter::empty(std::string_view element, const Attributes& attributes) {
    indent();
    out_.append("<").append(element).append(attributes.text()).append("/>\n");
}

void SvgWriter::text(std::string_view element, const Attributes& attributes, std::string_view content) {
    indent();
    out_.append("<").append(element).append(attributes.text()).append(">");
    out_.append(escape_xml(content)).append("</").append(element).append(">\n");
}

std::string SvgWriter::finish() && {
    REGROVE_CHECK(open_.empty());
    return std::move(out_);
}

}  // namespace regrove::draw
