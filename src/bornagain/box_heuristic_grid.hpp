// The part of a box's grid that questions still cut: what a node of a heuristic tree may ask, and small grids as tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "purity_reach.hpp"
#include "root_tensor.hpp"

namespace regrove::bornagain {

/// The slices into which the open questions of a box cut it, by axis.
struct OpenGrid {
    std::vector<std::vector<std::uint32_t>> starts;  ///< the cell at which each slice begins; rising, at least one
    double log2_cells = 0;

    bool has_one_cell() const { return log2_cells == 0; }
};

/// Of the box that `state` is in. `marks`: a buffer that calls share.
OpenGrid open_grid(ReachState& state, std::vector<std::vector<std::uint8_t>>& marks);

/// Whether box_tensor() takes it.
bool fits_tensor(const OpenGrid& grid, std::uint64_t most_cells);

/// The box that `state` is in as a tensor over the slices of its open grid: cut as far as bounds leave doubts, painted
/// where they do not. `state` must have begun there.
RootTensor box_tensor(ReachState& state, const OpenGrid& grid, std::uint32_t classes);

}  // namespace regrove::bornagain
