#include "sampled_bounds_line.hpp"

#include <algorithm>

#include "regrove/core/portable_math.hpp"

namespace regrove::bornagain {

LineScanner::LineScanner(const cellspace::CompiledEnsemble& ensemble, const OpenGrid& grid)
    : ensemble_(ensemble),
      grid_(grid),
      asking_(grid.starts.size()),
      cell_(grid.starts.size()),
      scores_(ensemble.trees().size()),
      sums_(ensemble.classes()) {
    for (std::uint32_t t = 0; t < ensemble.trees().size(); ++t)
        for (const cellspace::Step& step : ensemble.trees()[t].steps)
            if (!step.is_leaf() && (asking_[step.axis].empty() || asking_[step.axis].back() != t))
                asking_[step.axis].push_back(t);
}

void LineScanner::answer(std::uint32_t tree) {
    scores_[tree] = ensemble_.rule().scores(tree, ensemble_.leaf_at(tree, cell_)).data();
}

void LineScanner::place(const std::vector<std::uint32_t>& at) {
    for (std::size_t axis = 0; axis < at.size(); ++axis) cell_[axis] = grid_.starts[axis][at[axis]];
    for (std::uint32_t t = 0; t < scores_.size(); ++t) answer(t);
}

/// As ClassRule::decide: from zero, in tree order.
std::uint32_t LineScanner::class_here() {
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (const double* const added : scores_)
        for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += added[k];
    return ensemble_.rule().class_of_sums(sums_);
}

std::uint32_t LineScanner::class_at(const std::vector<std::uint32_t>& at) {
    place(at);
    return class_here();
}

std::uint32_t LineScanner::class_on_line(std::uint32_t axis, std::uint32_t slice) {
    cell_[axis] = grid_.starts[axis][slice];
    for (const std::uint32_t t : asking_[axis]) answer(t);
    return class_here();
}

void LineScanner::scan(LinedCell& cell) {
    cell.class_index = class_at(cell.at);
    cell.first = cell.at;
    cell.last = cell.at;
    cell.ended_directions = 0;
    cell.log2_volume = 0;
    for (std::uint32_t axis = 0; axis < cell.at.size(); ++axis) {
        const auto slices = static_cast<std::uint32_t>(grid_.starts[axis].size());
        if (slices == 1) continue;
        const std::uint32_t own = cell_[axis];
        kept_ = scores_;
        std::uint32_t& first = cell.first[axis];
        std::uint32_t& last = cell.last[axis];
        while (first > 0 && class_on_line(axis, first - 1) == cell.class_index) --first;
        while (last + 1 < slices && class_on_line(axis, last + 1) == cell.class_index) ++last;
        cell.ended_directions += (first > 0 ? 1U : 0U) + (last + 1 < slices ? 1U : 0U);
        cell.log2_volume += portable::log2(static_cast<double>(last - first + 1));
        cell_[axis] = own;
        scores_ = kept_;
    }
}

}  // namespace regrove::bornagain
