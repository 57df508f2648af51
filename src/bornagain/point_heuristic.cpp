#include "point_heuristic.hpp"

#include <algorithm>
#include <span>

#include "regrove/core/check.hpp"

namespace regrove::bornagain {

namespace {

class PointSplitter {
  public:
    PointSplitter(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble, std::size_t axes)
        : cells_(root.known_cells), axes_(axes), classes_(ensemble.classes()) {
        for (std::size_t at = 0; at < cells_.size(); at += axes_) {
            labels_.push_back(ensemble.class_at(std::span(cells_).subspan(at, axes_)));
            points_.push_back(static_cast<std::uint32_t>(at / axes_));
        }
    }

    CellTree build() {
        grow(points_);
        return std::move(tree_);
    }

  private:
    struct Cut {
        double impurity = 0;
        std::uint32_t axis = CellNode::k_leaf;
        std::uint32_t cut = 0;
    };

    std::uint32_t at(std::uint32_t point, std::uint32_t axis) const { return cells_[point * axes_ + axis]; }

    /// Rows times Gini impurity: n - sum of squared counts / n.
    static double impurity(const std::vector<double>& counts, double rows) {
        double squares = 0;
        for (const double count : counts) squares += count * count;
        return rows > 0 ? rows - squares / rows : 0;
    }

    void try_axis(std::span<std::uint32_t> points, std::uint32_t axis, Cut& best) const {
        std::ranges::sort(points, {}, [&](std::uint32_t p) { return at(p, axis); });
        std::vector<double> left(classes_, 0);
        std::vector<double> right(classes_, 0);
        for (const std::uint32_t p : points) ++right[labels_[p]];
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            ++left[labels_[points[i]]];
            --right[labels_[points[i]]];
            if (at(points[i], axis) == at(points[i + 1], axis)) continue;
            const auto rows = static_cast<double>(i + 1);
            const double found = impurity(left, rows) + impurity(right, static_cast<double>(points.size()) - rows);
            if (best.axis == CellNode::k_leaf || found < best.impurity) best = {found, axis, at(points[i], axis)};
        }
    }

    void grow(std::span<std::uint32_t> points) {
        const std::size_t place = tree_.nodes.size();
        tree_.nodes.emplace_back();
        const std::uint32_t label = labels_[points[0]];
        if (std::ranges::all_of(points, [&](std::uint32_t p) { return labels_[p] == label; })) {
            tree_.nodes[place].class_index = label;
            return;
        }
        Cut best;
        for (std::uint32_t axis = 0; axis < axes_; ++axis) try_axis(points, axis, best);
        REGROVE_CHECK(best.axis != CellNode::k_leaf);  // cells are distinct
        const auto middle =
            std::ranges::partition(points, [&](std::uint32_t p) { return at(p, best.axis) <= best.cut; });
        tree_.nodes[place].axis = best.axis;
        tree_.nodes[place].cut = best.cut;
        grow({points.begin(), middle.begin()});
        tree_.nodes[place].right = static_cast<std::uint32_t>(tree_.nodes.size());
        grow({middle.begin(), points.end()});
    }

    const std::vector<std::uint32_t>& cells_;
    std::size_t axes_;
    std::uint32_t classes_;
    std::vector<std::uint32_t> labels_;
    std::vector<std::uint32_t> points_;
    CellTree tree_;
};

}  // namespace

CellTree point_tree(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box) {
    return PointSplitter(root, ensemble, box.low.size()).build();
}

}  // namespace regrove::bornagain
