// The table of picture formats: one row each, read by the option --format, by the choice from a file's name, and by
// the tests.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "regrove/draw/tree_drawing_options.hpp"
#include "regrove/draw/tree_picture.hpp"

namespace regrove::draw {

struct PictureFormat {
    std::string name;         ///< "svg"
    std::string extension;    ///< ".svg"
    std::string description;  ///< one line for --help
    std::function<std::string(const TreePicture&, const TreeDrawingOptions&)> write;
};

std::span<const PictureFormat> all_picture_formats();

/// By name, or by the extension of `path` when `name` is empty; "-" is SVG. Throws ConfigError listing the known
/// ones.
const PictureFormat& picture_format(std::string_view name, std::string_view path);

}  // namespace regrove::draw
