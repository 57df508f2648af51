// Options of a tree's picture.
#pragma once

#include <cstdint>

#include "regrove/core/option_table.hpp"

namespace regrove::draw {

enum class OrientationChoice : std::uint8_t { automatic, down, right };

struct TreeDrawingOptions {
    std::uint32_t tree = 0;
    std::uint32_t max_depth_drawn = 0;  ///< 0: as deep as remains readable
    OrientationChoice orientation = OrientationChoice::automatic;
    double scale = 2;  ///< pixels of a PNG for one of the SVG
};

void list_options(TreeDrawingOptions& options, OptionTable& table);

}  // namespace regrove::draw
