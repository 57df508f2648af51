// The box of one node in SVG: its size, and its drawing at a place.
#pragma once

#include "regrove/draw/svg_writer.hpp"
#include "regrove/draw/tree_picture.hpp"

#include "ink.hpp"

namespace regrove::draw {

/// Width and height in pixels that hold every text of the card.
BoxSize card_size(const Card& card);

void draw_card(SvgWriter& svg, const Card& card, const Box& box);

}  // namespace regrove::draw
