// The colours of a picture: classes in a palette that colour-blind people can tell apart, values on a scale from dark
// to light.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace regrove::draw {

struct Color {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    friend bool operator==(const Color&, const Color&) = default;
};

constexpr Color k_white{255, 255, 255};
constexpr Color k_other_classes{150, 155, 160};  ///< shared by the lightest classes when there are too many

/// "#0072b2".
std::string to_hex(Color color);
/// `percent` of `a`, the rest `b`; in integers, so the same everywhere.
Color mix(Color a, Color b, unsigned percent);
/// Black or white, whichever reads better on `background`.
Color text_color_on(Color background);

/// One colour a class, in class order. With more classes than the palette holds, the heaviest get their own (ties to
/// the lower class) and all others share k_other_classes.
std::vector<Color> class_colors(const std::vector<double>& class_weights);

/// Colour of `position` in [0, 1] on the scale of a regression's values: even in lightness for every kind of sight.
Color scale_color(double position);

}  // namespace regrove::draw
