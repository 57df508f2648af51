// Places the boxes of a binary tree: children under their parent, parents centred, subtrees as close as their
// outlines allow.
//
// Source: Reingold and Tilford, "Tidier drawings of trees" (1981), with boxes of any width. Each subtree keeps its
// outline as one interval a level; two outlines are merged in the time of the flatter one, so the whole takes
// O(nodes).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace regrove::draw {

enum class Orientation : std::uint8_t { down, right };

constexpr std::uint32_t k_no_box = 0xffffffffU;

/// A box to place; boxes come in pre-order, both children or none.
struct BoxSize {
    double width = 0;
    double height = 0;
    std::uint32_t left = k_no_box;
    std::uint32_t right = k_no_box;
};

struct Box {
    double x = 0;  ///< left edge
    double y = 0;  ///< upper edge
    double width = 0;
    double height = 0;
};

/// Free room in pixels between neighbours of one level and between levels.
struct LayoutGaps {
    double neighbours = 0;
    double levels = 0;
};

struct Layout {
    std::vector<Box> boxes;  ///< in the order of the input; the smallest x and y are 0
    double width = 0;
    double height = 0;
};

/// Boxes of one level share their upper edge (down) or left edge (right); none overlap.
Layout tidy_layout(std::span<const BoxSize> sizes, Orientation orientation, LayoutGaps gaps);

}  // namespace regrove::draw
