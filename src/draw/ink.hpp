// The colours of what all pictures draw with: text, borders, grids.
#pragma once

#include "regrove/draw/color.hpp"

namespace regrove::draw {

constexpr Color k_ink{0x1F, 0x29, 0x33};
constexpr Color k_quiet_ink{0x5B, 0x67, 0x75};
constexpr Color k_border{0x9A, 0xA5, 0xB1};
constexpr Color k_track{0xE4, 0xE7, 0xEB};

}  // namespace regrove::draw
