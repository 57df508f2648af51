// The line from a node to its child in SVG, as thick as its share, with its answer and the mark for missing values.
#pragma once

#include "regrove/draw/svg_writer.hpp"
#include "regrove/draw/tree_picture.hpp"

namespace regrove::draw {

constexpr Font k_branch_font{11};

/// Room that a branch's text needs beside the line's end, in pixels.
double branch_text_room(const Branch& branch);

void draw_branch_line(SvgWriter& svg, const Branch& branch, const TreePicture& picture, const Layout& layout,
                      Orientation orientation);
void draw_branch_text(SvgWriter& svg, const Branch& branch, const Layout& layout, Orientation orientation);

/// The sign for where missing values go; also used where it is explained.
void draw_missing_mark(SvgWriter& svg, MissingMark mark, double x, double y);

}  // namespace regrove::draw
