#include "root_tensor.hpp"

#include <cmath>
#include <set>
#include <span>
#include <unordered_map>

#include "regrove/core/check.hpp"

namespace regrove::bornagain {

namespace {

using cellspace::Box;
using cellspace::CompiledEnsemble;
using cellspace::CompiledTree;
using cellspace::Step;

/// Cells of the fastest axes that are looked at together.
constexpr std::uint32_t k_row_cells = 1024;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    a ^= b + 0x9E3779B97F4A7C15U + (a << 6U) + (a >> 2U);
    a *= 0xBF58476D1CE4E5B9U;
    return a ^ (a >> 29U);
}

/// One tree's part in the scores of a row of cells, for each way in which the slow axes can restrict the tree.
class TreeRows {
  public:
    TreeRows(const CompiledEnsemble& ensemble, std::size_t tree, const GridShape& row,
             const std::vector<std::uint32_t>& row_axis, const SliceMap& slices)
        : ensemble_(ensemble),
          number_(tree),
          tree_(ensemble.trees()[tree]),
          row_(row),
          row_axis_(row_axis),
          slices_(slices) {}

    /// classes x cells of the row at a position of the slow axes (`cell`: one number an axis of the space).
    const double* scores(const std::vector<std::uint32_t>& cell) {
        const std::uint64_t signature = signature_of(0, cell);
        const auto [place, is_new] = rows_.try_emplace(signature);
        if (is_new) {
            place->second.resize(std::size_t{ensemble_.classes()} * row_.cells());
            std::vector<std::uint32_t> at = cell;
            fill(at, place->second);
        }
        return place->second.data();
    }

  private:
    bool is_row_axis(std::uint32_t axis) const { return row_axis_[axis] != Step::k_leaf; }

    /// Of the part of the tree that the slow axes leave.
    std::uint64_t signature_of(std::uint32_t number, const std::vector<std::uint32_t>& cell) const {
        const Step* step = &tree_.steps[number];
        while (!step->is_leaf() && !is_row_axis(step->axis)) {
            number = tree_.goes_right(*step, cell[step->axis]) ? step->right : step->left;
            step = &tree_.steps[number];
        }
        if (step->is_leaf()) return mix(step->leaf, 1);
        return mix(mix(signature_of(step->left, cell), signature_of(step->right, cell)), number + 7);
    }

    void fill(std::vector<std::uint32_t>& cell, std::vector<double>& scores) const {
        const std::uint32_t cells = row_.cells();
        for (std::uint32_t i = 0; i < cells; ++i) {
            std::uint32_t rest = i;
            for (std::uint32_t j = 0; j < row_.axes; ++j) {
                cell[row_.origin[j]] = slices_[row_.origin[j]][rest % row_.slices[j]];
                rest /= row_.slices[j];
            }
            const auto added = ensemble_.rule().scores(number_, ensemble_.leaf_at(number_, cell));
            for (std::uint32_t k = 0; k < ensemble_.classes(); ++k) scores[std::size_t{k} * cells + i] = added[k];
        }
    }

    const CompiledEnsemble& ensemble_;
    std::size_t number_;
    const CompiledTree& tree_;
    const GridShape& row_;
    const std::vector<std::uint32_t>& row_axis_;
    const SliceMap& slices_;
    std::unordered_map<std::uint64_t, std::vector<double>> rows_;
};

GridShape shape_of(const SliceMap& slices) {
    GridShape shape;
    for (std::uint32_t axis = 0; axis < slices.size(); ++axis) {
        if (slices[axis].size() < 2) continue;
        shape.slices[shape.axes] = static_cast<std::uint16_t>(slices[axis].size());
        shape.origin[shape.axes++] = static_cast<std::uint16_t>(axis);
    }
    return shape;
}

/// Writes classes cell by cell, row by row.
class ClassWriter {
  public:
    ClassWriter(const CompiledEnsemble& ensemble, CellTensor& tensor)
        : classes_(ensemble.classes()), divisor_(ensemble.rule().divisor()), tensor_(tensor) {
        std::fill(tensor.bits.begin(), tensor.bits.end(), 0);
    }

    void write(const double* sums, std::uint32_t cells) {
        for (std::uint32_t i = 0; i < cells; ++i, ++next_) {
            std::uint32_t best = 0;
            double largest = divided(sums[i]);
            for (std::uint32_t k = 1; k < classes_; ++k) {
                const double value = divided(sums[std::size_t{k} * cells + i]);
                if (value > largest) {
                    largest = value;
                    best = k;
                }
            }
            for (std::uint32_t p = 0; p < tensor_.planes; ++p)
                tensor_.plane(p)[next_ >> 6U] |= std::uint64_t{(best >> p) & 1U} << (next_ & 63U);
        }
    }

  private:
    double divided(double sum) const { return divisor_ == 1.0 ? sum : sum / divisor_; }

    std::uint32_t classes_;
    double divisor_;
    CellTensor& tensor_;
    std::uint32_t next_ = 0;
};

}  // namespace

std::uint32_t class_of(const RootTensor& root, const CompiledEnsemble& ensemble, const Box& box) {
    const std::size_t axes = box.low.size();
    for (std::size_t at = 0; at < root.known_cells.size(); at += axes) {
        bool inside = true;
        for (std::size_t j = 0; inside && j < axes; ++j)
            inside = root.known_cells[at + j] >= box.low[j] && root.known_cells[at + j] <= box.high[j];
        if (inside) return ensemble.class_at(std::span(root.known_cells).subspan(at, axes));
    }
    return ensemble.class_at(box.low);
}

SliceMap all_slices(const Box& box) {
    SliceMap slices(box.low.size());
    for (std::size_t axis = 0; axis < slices.size(); ++axis)
        for (std::uint32_t c = box.low[axis]; c <= box.high[axis]; ++c) slices[axis].push_back(c);
    return slices;
}

SliceMap slices_of(const CellTree& tree, const cellspace::Box& box) {
    std::vector<std::set<std::uint32_t>> starts(box.low.size());
    for (std::size_t axis = 0; axis < starts.size(); ++axis) starts[axis].insert(box.low[axis]);
    for (const CellNode& node : tree.nodes)
        if (!node.is_leaf()) starts[node.axis].insert(node.cut + 1);
    SliceMap slices;
    for (const auto& axis : starts) slices.emplace_back(axis.begin(), axis.end());
    return slices;
}

double log10_cells(const SliceMap& slices) {
    double sum = 0;
    for (const auto& axis : slices) sum += std::log10(static_cast<double>(axis.size()));
    return sum;
}

bool fits_tensor(const SliceMap& slices, double most_log10_cells) {
    std::size_t axes = 0;
    for (const auto& axis : slices) {
        if (axis.size() > 1) ++axes;
        if (axis.size() > 65535) return false;
    }
    return axes <= k_max_tensor_axes && log10_cells(slices) <= most_log10_cells;
}

RootTensor root_tensor(const CompiledEnsemble& ensemble, const SliceMap& slices) {
    RootTensor root;
    root.map = slices;
    REGROVE_CHECK(fits_tensor(slices, 9.3));
    root.tensor.shape = shape_of(slices);
    const GridShape& shape = root.tensor.shape;
    std::uint32_t planes = 1;
    while ((1U << planes) < ensemble.classes()) ++planes;
    root.tensor.resize(shape.cells(), planes);
    GridShape row;
    std::vector<std::uint32_t> row_axis(slices.size(), Step::k_leaf);
    while (row.axes < shape.axes && row.cells() * shape.slices[row.axes] <= k_row_cells) {
        row.slices[row.axes] = shape.slices[row.axes];
        row.origin[row.axes] = shape.origin[row.axes];
        row_axis[shape.origin[row.axes]] = row.axes;
        ++row.axes;
    }
    std::vector<TreeRows> trees;
    for (std::size_t t = 0; t < ensemble.trees().size(); ++t) trees.emplace_back(ensemble, t, row, row_axis, slices);
    const std::uint32_t row_cells = row.cells();
    const std::size_t width = std::size_t{ensemble.classes()} * row_cells;
    std::vector<double> sums(width);
    std::vector<std::uint32_t> cell;
    for (const auto& axis : slices) cell.push_back(axis[0]);
    std::vector<std::uint32_t> at(shape.axes, 0);
    ClassWriter writer(ensemble, root.tensor);
    for (std::uint32_t done = 0; done < root.tensor.cells; done += row_cells) {
        for (std::size_t t = 0; t < trees.size(); ++t) {
            const double* const added = trees[t].scores(cell);
            if (t == 0)
                std::copy(added, added + width, sums.begin());
            else
                for (std::size_t i = 0; i < width; ++i) sums[i] += added[i];
        }
        writer.write(sums.data(), row_cells);
        for (std::uint32_t j = row.axes; j < shape.axes; ++j) {
            const bool wraps = ++at[j] == shape.slices[j];
            if (wraps) at[j] = 0;
            cell[shape.origin[j]] = slices[shape.origin[j]][at[j]];
            if (!wraps) break;
        }
    }
    TensorScratch scratch;
    root.classes = tensor_kernels().compress(root.tensor, scratch, &root.map);
    return root;
}

}  // namespace regrove::bornagain
