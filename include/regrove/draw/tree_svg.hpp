// A tree's picture as SVG.
#pragma once

#include <string>

#include "regrove/draw/tree_picture.hpp"

namespace regrove::draw {

/// A whole SVG document; the same picture gives the same bytes. Automatic orientation is down unless that is too wide
/// for a page.
std::string tree_svg(const TreePicture& picture, OrientationChoice orientation);

}  // namespace regrove::draw
