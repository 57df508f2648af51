// The box of one node in SVG: its size, and its drawing at a place.
#pragma once

#include "regrove/draw/svg_writer.hpp"
#include "regrove/draw/tree_picture.hpp"

namespace regrove::draw {

constexpr Color k_ink{0x1F, 0x29, 0x33};
constexpr Color k_quiet_ink{0x5B, 0x67, 0x75};

/// Width and height in pixels that hold every text of the card.
BoxSize card_size(const Card& card);

void draw_card(SvgWriter& svg, const Card& card, const Box& box);

}  // namespace regrove::draw
