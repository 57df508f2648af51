// Lines of text on a picture's page: one at a place, and a paragraph broken at blanks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regrove/draw/svg_writer.hpp"

namespace regrove::draw {

enum class TextAnchor : unsigned char { start, middle, end };

void write_text(SvgWriter& svg, double x, double baseline, Font font, Color color, std::string_view text,
                TextAnchor anchor = TextAnchor::start);

/// Lines of at most `width` pixels, where blanks allow.
std::vector<std::string> wrapped_text(std::string_view text, Font font, double width);

}  // namespace regrove::draw
