// Palette and scale.
//
// Sources: the eight colours follow Okabe and Ito, "Color Universal Design" (2008), with grey for black; the scale
// interpolates five stops of viridis (van der Walt and Smith 2015, CC0), made to be even in lightness.
#include "regrove/draw/color.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace regrove::draw {
namespace {

constexpr std::array<Color, 8> k_base{{{0x00, 0x72, 0xB2},
                                       {0xE6, 0x9F, 0x00},
                                       {0x00, 0x9E, 0x73},
                                       {0xCC, 0x79, 0xA7},
                                       {0x56, 0xB4, 0xE9},
                                       {0xD5, 0x5E, 0x00},
                                       {0xF0, 0xE4, 0x42},
                                       {0x6B, 0x6F, 0x76}}};
constexpr std::size_t k_palette_size = 2 * k_base.size();
constexpr Color k_black{0x1F, 0x29, 0x33};

constexpr std::array<Color, 5> k_scale{
    {{0x44, 0x01, 0x54}, {0x3B, 0x52, 0x8B}, {0x21, 0x91, 0x8C}, {0x5E, 0xC9, 0x62}, {0xFD, 0xE7, 0x25}}};

// The base colours, then the same darkened: 16 that differ in hue or in lightness.
Color palette(std::size_t i) {
    if (i < k_base.size()) return k_base[i];
    return mix(k_base[i - k_base.size()], k_black, 50);
}

unsigned weighted(unsigned a, unsigned b, unsigned percent) { return (a * percent + b * (100 - percent) + 50) / 100; }

}  // namespace

std::string to_hex(Color color) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text = "#";
    for (const unsigned part : {color.red, color.green, color.blue}) {
        text += digits[part / 16];
        text += digits[part % 16];
    }
    return text;
}

Color mix(Color a, Color b, unsigned percent) {
    return {static_cast<std::uint8_t>(weighted(a.red, b.red, percent)),
            static_cast<std::uint8_t>(weighted(a.green, b.green, percent)),
            static_cast<std::uint8_t>(weighted(a.blue, b.blue, percent))};
}

Color text_color_on(Color background) {
    // Rec. 601 luma in thousandths.
    const unsigned luma = (299U * background.red + 587U * background.green + 114U * background.blue) / 1000U;
    return luma > 130 ? k_black : k_white;
}

std::vector<Color> class_colors(const std::vector<double>& class_weights) {
    const std::size_t count = class_weights.size();
    std::vector<std::size_t> own(count);
    std::iota(own.begin(), own.end(), std::size_t{0});
    if (count > k_palette_size) {
        std::stable_sort(own.begin(), own.end(),
                         [&](std::size_t a, std::size_t b) { return class_weights[a] > class_weights[b]; });
        own.resize(k_palette_size);
        std::sort(own.begin(), own.end());
    }
    std::vector<Color> colors(count, k_other_classes);
    for (std::size_t i = 0; i < own.size(); ++i) colors[own[i]] = palette(i);
    return colors;
}

Color scale_color(double position) {
    const double place = std::clamp(position, 0.0, 1.0) * static_cast<double>(k_scale.size() - 1);
    const auto stop = std::min(static_cast<std::size_t>(place), k_scale.size() - 2);
    const auto percent = static_cast<unsigned>((place - static_cast<double>(stop)) * 100 + 0.5);
    return mix(k_scale[stop + 1], k_scale[stop], percent);
}

}  // namespace regrove::draw
