// Each tree's regions by descent; a forest's cells by the leaves of the regions that cover them.
#include "regrove/infer/plane_regions.hpp"

#include <algorithm>
#include <span>

#include "regrove/core/error.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/infer/route.hpp"

namespace regrove::infer {

namespace {

using Regions = std::vector<TreeRegion>;

/// Cuts `low` .. `high` of one axis at the threshold; false when all of it goes one way, to `side`.
bool is_cut(double low, double high, double threshold, model::Side& side) {
    if (threshold > low && threshold < high) return true;
    side = threshold >= high ? model::Side::left : model::Side::right;
    return false;
}

class Descent {
  public:
    Descent(const model::Tree& tree, const Plane& plane) : tree_(tree), plane_(plane) {}

    Regions run() {
        open_.push_back({plane_.x_low, plane_.x_high, plane_.y_low, plane_.y_high, NodeId{0}});
        while (!open_.empty()) {
            const TreeRegion now = open_.back();
            open_.pop_back();
            visit(now);
        }
        return std::move(done_);
    }

  private:
    void visit(const TreeRegion& region) {
        const model::Node& node = tree_.node(region.leaf);
        if (node.is_leaf()) return done_.push_back(region);
        const FeatureId feature = node.question.feature;
        if (feature == plane_.across) return cut(region, node, &TreeRegion::x_low, &TreeRegion::x_high);
        if (feature == plane_.up) return cut(region, node, &TreeRegion::y_low, &TreeRegion::y_high);
        PathFlags ignored;
        descend(region, node, answer(node.question, plane_.cells, ignored));
    }

    void descend(TreeRegion region, const model::Node& node, model::Side side) {
        region.leaf = side == model::Side::left ? node.left : node.right;
        open_.push_back(region);
    }

    void cut(const TreeRegion& region, const model::Node& node, double TreeRegion::*low, double TreeRegion::*high) {
        const double threshold = node.question.threshold;
        model::Side side = model::Side::left;
        if (!is_cut(region.*low, region.*high, threshold, side)) return descend(region, node, side);
        TreeRegion above = region;
        above.*low = threshold;
        descend(above, node, model::Side::right);
        TreeRegion below = region;
        below.*high = threshold;
        descend(below, node, model::Side::left);  // the next one visited
    }

    const model::Tree& tree_;
    const Plane& plane_;
    Regions open_;
    Regions done_;
};

void sort_unique(std::vector<double>& cuts) {
    std::ranges::sort(cuts);
    cuts.erase(std::ranges::unique(cuts).begin(), cuts.end());
}

std::size_t place(const std::vector<double>& cuts, double low) {
    return static_cast<std::size_t>(std::ranges::upper_bound(cuts, low) - cuts.begin());
}

/// The leaves of one row of cells: columns x trees.
std::vector<NodeId> row_leaves(const PlaneGrid& grid, const std::vector<Regions>& trees, double y_low,
                               const Plane& plane) {
    std::vector<NodeId> leaves(grid.columns() * trees.size());
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
        for (const TreeRegion& region : trees[tree]) {
            if (region.y_low > y_low || region.y_high <= y_low) continue;
            const std::size_t begin = place(grid.x_cuts, region.x_low);
            const std::size_t end =
                region.x_high >= plane.x_high ? grid.columns() : place(grid.x_cuts, region.x_high);
            for (std::size_t column = begin; column < end; ++column)
                leaves[column * trees.size() + tree] = region.leaf;
        }
    }
    return leaves;
}

void add_answers(PlaneGrid& grid, const model::Ensemble& ensemble, const Predictor& predictor,
                 const std::vector<NodeId>& leaves) {
    if (ensemble.task == model::Task::regression) {
        const auto values = predictor.values(leaves);
        grid.values.insert(grid.values.end(), values.begin(), values.end());
        return;
    }
    const auto classes = predictor.classes(leaves);
    const auto probabilities = predictor.probabilities(leaves);
    for (std::size_t cell = 0; cell < classes.size(); ++cell) {
        grid.classes.push_back(classes[cell]);
        grid.shares.push_back(probabilities[cell * ensemble.outputs() + static_cast<std::size_t>(classes[cell])]);
    }
}

}  // namespace

std::vector<TreeRegion> tree_regions(const model::Tree& tree, const Plane& plane) {
    return Descent(tree, plane).run();
}

PlaneGrid plane_grid(const model::Ensemble& ensemble, const Plane& plane, std::size_t most_cells) {
    PlaneGrid grid;
    std::vector<Regions> trees;
    for (const model::Tree& tree : ensemble.trees) {
        trees.push_back(tree_regions(tree, plane));
        for (const TreeRegion& region : trees.back()) {
            if (region.x_low > plane.x_low) grid.x_cuts.push_back(region.x_low);
            if (region.y_low > plane.y_low) grid.y_cuts.push_back(region.y_low);
        }
    }
    sort_unique(grid.x_cuts);
    sort_unique(grid.y_cuts);
    if (grid.columns() > most_cells / grid.rows())
        throw LimitError("the trees cut this plane into " + std::to_string(grid.columns()) + " x " +
                         std::to_string(grid.rows()) + " cells, more than the " + std::to_string(most_cells) +
                         " that can be drawn; take fewer or shallower trees, or a smaller part of the plane");
    const Predictor predictor(ensemble, expected_schema(ensemble));
    for (std::size_t row = 0; row < grid.rows(); ++row) {
        const double y_low = row == 0 ? plane.y_low : grid.y_cuts[row - 1];
        add_answers(grid, ensemble, predictor, row_leaves(grid, trees, y_low, plane));
    }
    return grid;
}

}  // namespace regrove::infer
