// A tree's picture in the DOT language of Graphviz, for those who want to lay it out themselves.
#pragma once

#include <string>

#include "regrove/draw/tree_picture.hpp"

namespace regrove::draw {

std::string tree_dot(const TreePicture& picture, OrientationChoice orientation);

}  // namespace regrove::draw
