// The field table of a tree's picture.
#include "regrove/draw/tree_drawing_options.hpp"

namespace regrove::draw {

void list_options(TreeDrawingOptions& options, OptionTable& table) {
    table.add("tree", options.tree, 0, 0xfffffffeU, "which tree of the model, counted from zero");
    table.add("max_depth_drawn", options.max_depth_drawn, 0, 1'000'000,
              "levels below the root to draw; what lies deeper is counted; 0: as many as remain readable");
    const Choices<OrientationChoice> orientations{{"auto", OrientationChoice::automatic},
                                                  {"down", OrientationChoice::down},
                                                  {"right", OrientationChoice::right}};
    table.add("orientation", options.orientation, orientations, "where the tree grows; auto: down unless too wide");
    table.add("scale", options.scale, 0.1, 16, "pixels of a PNG for one of the SVG; 1 is 96 dpi");
}

}  // namespace regrove::draw
