#include "box_heuristic_grid.hpp"

#include <algorithm>

#include "regrove/core/portable_math.hpp"

namespace regrove::bornagain {

namespace {

/// Paints the classes of a box's cells into a tensor.
class TensorPainter {
  public:
    TensorPainter(ReachState& state, const OpenGrid& grid, std::uint32_t classes, CellTensor& tensor)
        : state_(state), grid_(grid), classes_(classes), tensor_(tensor) {}

    void paint() {
        if (state_.is_settled()) return fill(state_.class_here());
        std::uint32_t rivals = 0;
        std::uint32_t rival = state_.own_class();
        for (std::uint32_t k = 0; k < classes_; ++k) {
            if (k == state_.own_class() || state_.excludes(k)) continue;
            if (classes_ == 2 && state_.loses_to(k)) return fill(k);
            ++rivals;
            if (rivals == 1 || state_.most(k) > state_.most(rival)) rival = k;
        }
        if (rivals == 0) return fill(state_.own_class());
        const CellCut cut = state_.widest_cut(rival);
        for (const bool right : {false, true}) {
            state_.enter(cut, right);
            paint();
            state_.leave();
        }
    }

  private:
    std::uint32_t slice_of(std::uint32_t axis, std::uint32_t cell) const {
        const auto& starts = grid_.starts[axis];
        return static_cast<std::uint32_t>(std::ranges::upper_bound(starts, cell) - starts.begin()) - 1;
    }

    void fill(std::uint32_t class_index) {
        if (class_index == 0) return;
        const GridShape& shape = tensor_.shape;
        cells_.assign(1, 0);
        std::uint32_t stride = 1;
        for (std::uint32_t j = 0; j < shape.axes; ++j) {
            const std::uint32_t axis = shape.origin[j];
            const std::uint32_t low = slice_of(axis, state_.box().low[axis]);
            const std::uint32_t high = slice_of(axis, state_.box().high[axis]);
            const std::size_t before = cells_.size();
            for (std::size_t i = 0; i < before; ++i) cells_[i] += low * stride;
            for (std::uint32_t l = low + 1; l <= high; ++l)
                for (std::size_t i = 0; i < before; ++i) cells_.push_back(cells_[i] + (l - low) * stride);
            stride *= shape.slices[j];
        }
        for (const std::uint32_t cell : cells_) tensor_.set_class(cell, class_index);
    }

    ReachState& state_;
    const OpenGrid& grid_;
    std::uint32_t classes_;
    CellTensor& tensor_;
    std::vector<std::uint32_t> cells_;
};

}  // namespace

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

bool fits_tensor(const OpenGrid& grid, std::uint64_t most_cells) {
    std::uint64_t cells = 1;
    std::uint32_t axes = 0;
    for (const auto& starts : grid.starts) {
        if (starts.size() > 1) ++axes;
        cells *= starts.size();
        if (cells > most_cells || starts.size() > 65535) return false;
    }
    return axes <= k_max_tensor_axes;
}

RootTensor box_tensor(ReachState& state, const OpenGrid& grid, std::uint32_t classes) {
    RootTensor root;
    root.map = grid.starts;
    GridShape& shape = root.tensor.shape;
    for (std::uint32_t axis = 0; axis < grid.starts.size(); ++axis) {
        if (grid.starts[axis].size() == 1) continue;
        shape.slices[shape.axes] = static_cast<std::uint16_t>(grid.starts[axis].size());
        shape.origin[shape.axes++] = static_cast<std::uint16_t>(axis);
    }
    std::uint32_t planes = 1;
    while ((1U << planes) < classes) ++planes;
    root.tensor.resize(shape.cells(), planes);
    std::fill(root.tensor.bits.begin(), root.tensor.bits.end(), 0);
    TensorPainter(state, grid, classes, root.tensor).paint();
    TensorScratch scratch;
    root.classes = tensor_kernels().compress(root.tensor, scratch, &root.map);
    return root;
}

}  // namespace regrove::bornagain
