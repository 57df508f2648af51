// Signed numbers of an image's pixels as maps side by side: blue for one sign, red for the other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace regrove::draw {

/// One map. Its colours are full at its own largest absolute value, so that maps of different units stand side by side, and
/// fade with the square root.
struct MapPanel {
    std::string title;
    std::vector<double> values;  ///< height * width, row by row from the top; not finite: grey
};

struct ImageMap {
    std::string title;
    std::string subtitle;  ///< one line below the title, or empty
    std::size_t height = 0;
    std::size_t width = 0;
    std::size_t columns = 0;  ///< panels in a row of the page; 0: all in one row, at most 5
    std::vector<MapPanel> panels;
    std::vector<std::string>
        pixel_names;                 ///< what an SVG shows with the number when the pointer rests on it; may be empty
    std::vector<std::string> notes;  ///< below the maps, one paragraph each
};

/// A whole SVG document; the same map gives the same bytes on every machine. Zeros are white.
std::string image_map_svg(const ImageMap& map);

/// The bytes of the picture in the format that `path` names by its ending, as line_chart_picture.
std::string image_map_picture(const ImageMap& map, std::string_view path, double scale = 2);

}  // namespace regrove::draw
