// The part of a box's grid that questions still cut: what a node of a heuristic tree may ask.
#pragma once

#include <cstdint>
#include <vector>

#include "purity_reach.hpp"
#include "root_tensor.hpp"

namespace regrove::bornagain {

/// The slices into which the open questions of a box cut it, by axis.
struct OpenGrid {
    SliceMap starts;  ///< the cell at which each slice begins; rising, at least one
    double log2_cells = 0;

    bool has_one_cell() const { return log2_cells == 0; }
};

/// Of the box that `state` is in. `marks`: a buffer that calls share.
OpenGrid open_grid(ReachState& state, std::vector<std::vector<std::uint8_t>>& marks);

/// Whether it has at most so many cells (up to 2^32) and so few axes that it can be a tensor.
bool is_small(const OpenGrid& grid, std::uint64_t most_cells);

}  // namespace regrove::bornagain
