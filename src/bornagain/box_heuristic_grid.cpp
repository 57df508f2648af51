#include "box_heuristic_grid.hpp"

#include <algorithm>

#include "regrove/core/portable_math.hpp"

namespace regrove::bornagain {

OpenGrid open_grid(ReachState& state, std::vector<std::vector<std::uint8_t>>& marks) {
    const cellspace::Box& box = state.box();
    marks.resize(box.low.size());
    for (std::size_t axis = 0; axis < box.low.size(); ++axis) {
        if (marks[axis].size() <= box.high[axis]) marks[axis].resize(box.high[axis] + std::size_t{1});
        std::fill(marks[axis].begin() + box.low[axis], marks[axis].begin() + box.high[axis] + 1, 0);
    }
    state.mark_open_cuts(marks);
    OpenGrid grid;
    grid.starts.resize(box.low.size());
    for (std::size_t axis = 0; axis < box.low.size(); ++axis) {
        auto& starts = grid.starts[axis];
        starts.push_back(box.low[axis]);
        for (std::uint32_t c = box.low[axis]; c < box.high[axis]; ++c)
            if (marks[axis][c] != 0) starts.push_back(c + 1);
        grid.log2_cells += portable::log2(static_cast<double>(starts.size()));
    }
    return grid;
}

bool is_small(const OpenGrid& grid, std::uint64_t most_cells) {
    std::uint64_t cells = 1;
    std::uint32_t axes = 0;
    for (const auto& starts : grid.starts) {
        if (starts.size() > 1) ++axes;
        cells *= starts.size();
        if (cells > most_cells) return false;
    }
    return axes <= k_max_tensor_axes;
}

}  // namespace regrove::bornagain
