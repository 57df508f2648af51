// How wide a text is in a picture, without a font at hand: the wider of DejaVu Sans and Liberation Sans for each
// character.
#pragma once

#include <string>
#include <string_view>

namespace regrove::draw {

enum class FontWeight : unsigned char { regular, bold };

struct Font {
    double size;  ///< pixels an em
    FontWeight weight = FontWeight::regular;
};

/// Width in pixels of `text` (UTF-8); an upper bound for the two fonts in ASCII and a generous estimate elsewhere.
double text_width(std::string_view text, Font font);

/// `text` itself when it is at most `max_width` pixels wide, else its beginning and end around "…".
std::string shortened(std::string_view text, Font font, double max_width);

}  // namespace regrove::draw
