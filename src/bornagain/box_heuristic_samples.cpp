#include "box_heuristic_samples.hpp"

#include <algorithm>
#include <limits>

#include "tensor_heuristic_gain.hpp"

namespace regrove::bornagain {

namespace {

/// Counts of classes on the two sides of a cut that moves up.
class MovingCut {
  public:
    MovingCut(const std::vector<std::uint64_t>& all) : left_(all.size(), 0), right_(all) {}
    void move(std::uint32_t class_index, std::uint64_t count) {
        left_[class_index] += count;
        right_[class_index] -= count;
    }
    /// The disorder of both sides in bits times cells.
    double disorder() const { return disorder(left_) + disorder(right_); }

  private:
    static double disorder(const std::vector<std::uint64_t>& counts) {
        std::uint64_t all = 0;
        double parts = 0;
        for (const std::uint64_t count : counts) {
            all += count;
            parts += count_log_count(count);
        }
        return count_log_count(all) - parts;
    }

    std::vector<std::uint64_t> left_;
    std::vector<std::uint64_t> right_;
};

}  // namespace

void SampledCells::add(const std::vector<std::uint32_t>& cell, std::uint32_t class_index) {
    cells.insert(cells.end(), cell.begin(), cell.end());
    classes.push_back(class_index);
}

void top_up(SampledCells& samples, const OpenGrid& grid, const cellspace::CompiledEnsemble& ensemble,
            const CounterRandom& random, std::size_t count) {
    const std::size_t axes = grid.starts.size();
    std::vector<std::uint32_t> cell(axes);
    std::uint64_t next = 0;
    samples.cells.reserve(count * axes);
    samples.classes.reserve(count);
    while (samples.size() < count) {
        for (std::size_t axis = 0; axis < axes; ++axis) {
            const auto& starts = grid.starts[axis];
            cell[axis] = starts.size() == 1 ? starts[0] : starts[random.below(next++, starts.size())];
        }
        samples.add(cell, ensemble.class_at(cell));
    }
}

bool is_uniform(const SampledCells& samples) {
    return std::ranges::adjacent_find(samples.classes, std::not_equal_to<>()) == samples.classes.end();
}

CellCut best_gain_cut(const SampledCells& samples, const OpenGrid& grid, std::uint32_t classes) {
    const std::size_t axes = grid.starts.size();
    std::vector<std::uint64_t> all(classes, 0);
    for (const std::uint32_t k : samples.classes) ++all[k];
    CellCut best;
    double least = std::numeric_limits<double>::infinity();
    std::vector<std::uint64_t> counts;  // of the cells of an axis from the box's lowest on, by class
    for (std::uint32_t axis = 0; axis < axes; ++axis) {
        const auto& starts = grid.starts[axis];
        if (starts.size() == 1) continue;
        const std::uint32_t low = starts.front();
        counts.assign(std::size_t{starts.back() - low + 1} * classes, 0);
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const std::uint32_t at = std::min(samples.cell(i, axes)[axis], starts.back()) - low;
            ++counts[std::size_t{at} * classes + samples.classes[i]];
        }
        MovingCut cut(all);
        std::uint32_t at = low;
        for (std::size_t slice = 1; slice < starts.size(); ++slice) {
            for (; at < starts[slice]; ++at)
                for (std::uint32_t k = 0; k < classes; ++k) cut.move(k, counts[std::size_t{at - low} * classes + k]);
            const double disorder = cut.disorder();
            if (disorder >= least) continue;
            least = disorder;
            best = {axis, starts[slice] - 1};
        }
    }
    return best;
}

SampledCells take_side(const SampledCells& samples, const CellCut& cut, bool right, std::size_t axes) {
    SampledCells side;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::uint32_t* const cell = samples.cell(i, axes);
        if ((cell[cut.axis] > cut.cell) != right) continue;
        side.cells.insert(side.cells.end(), cell, cell + axes);
        side.classes.push_back(samples.classes[i]);
    }
    return side;
}

}  // namespace regrove::bornagain
