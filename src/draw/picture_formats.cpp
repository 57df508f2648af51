// The rows of the table of picture formats.
#include "regrove/draw/picture_formats.hpp"

#include <array>

#include "regrove/core/error.hpp"
#include "regrove/draw/png.hpp"
#include "regrove/draw/tree_dot.hpp"
#include "regrove/draw/tree_svg.hpp"

namespace regrove::draw {
namespace {

std::string known_formats() {
    std::string names;
    for (const PictureFormat& format : all_picture_formats()) names += (names.empty() ? "" : ", ") + format.extension;
    return names;
}

}  // namespace

std::span<const PictureFormat> all_picture_formats() {
    static const std::array<PictureFormat, 3> formats{
        {{"svg", ".svg", "scalable, for browsers and print; figures of a node on hover",
          [](const TreePicture& picture, const TreeDrawingOptions& options) {
              return tree_svg(picture, options.orientation);
          }},
         {"png", ".png", "pixels, see --scale",
          [](const TreePicture& picture, const TreeDrawingOptions& options) {
              return png_from_svg(tree_svg(picture, options.orientation), options.scale);
          }},
         {"dot", ".dot", "for Graphviz", [](const TreePicture& picture, const TreeDrawingOptions& options) {
              return tree_dot(picture, options.orientation);
          }}}};
    return formats;
}

const PictureFormat& picture_format(std::string_view name, std::string_view path) {
    for (const PictureFormat& format : all_picture_formats())
        if (name.empty() ? path.ends_with(format.extension) : name == format.name) return format;
    if (name.empty() && path == "-") return all_picture_formats().front();
    if (!name.empty())
        throw ConfigError("format: unknown value '" + std::string(name) + "'; known: " + known_formats());
    throw ConfigError("output: the name '" + std::string(path) + "' ends in no known picture format (" +
                      known_formats() + "); give --format");
}

}  // namespace regrove::draw
