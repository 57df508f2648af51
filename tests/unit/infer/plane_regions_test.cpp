// Regions tile the plane, and every cell of the grid answers as the predictor answers for a row inside of it.
#include "regrove/infer/plane_regions.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"
#include "regrove/infer/predictor.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

using ::testing::ElementsAre;

Plane plane_of(std::vector<double> cells) {
    Plane plane;
    plane.across = FeatureId{0};
    plane.up = FeatureId{1};
    plane.x_high = 10;
    plane.y_high = 20;
    plane.cells = std::move(cells);
    return plane;
}

/// x > 4, left of it y > 5, right of it whether c is "q".
model::Tree corner_tree() {
    return {{inner(above(0, 4), 1, 4, {0}), inner(above(1, 5), 2, 3, {0}), leaf({1}), leaf({2}),
             inner(one_of(2, {1}, {0, 1}), 5, 6, {0}), leaf({3}), leaf({4})}};
}

TEST(PlaneRegions, OfATreeAreItsLeavesRectangles) {
    EXPECT_THAT(tree_regions(corner_tree(), plane_of({0, 0, 1})),
                ElementsAre(TreeRegion{0, 4, 0, 5, NodeId{2}}, TreeRegion{0, 4, 5, 20, NodeId{3}},
                            TreeRegion{4, 10, 0, 20, NodeId{6}}));
    EXPECT_EQ(tree_regions(corner_tree(), plane_of({0, 0, 0})).back().leaf, NodeId{5});
}

TEST(PlaneRegions, LeaveOutWhatLiesOutsideOfThePlane) {
    Plane plane = plane_of({0, 0, 0});
    plane.x_low = 4;  // x = 4 itself goes left, but no width of the plane does
    EXPECT_THAT(tree_regions(corner_tree(), plane), ElementsAre(TreeRegion{4, 10, 0, 20, NodeId{5}}));
    plane.x_low = 0;
    plane.x_high = 4;
    plane.y_low = 5;
    EXPECT_THAT(tree_regions(corner_tree(), plane), ElementsAre(TreeRegion{0, 4, 5, 20, NodeId{3}}));
}

TEST(PlaneRegions, UnknownCategoriesTakeTheHeavierSide) {
    model::Tree tree = corner_tree();
    tree.nodes[4].question.heavier_side = model::Side::right;
    EXPECT_EQ(tree_regions(tree, plane_of({0, 0, k_unknown_category})).back().leaf, NodeId{6});
}

/// A random tree of depth 3 over x, y, a held number and a held category.
model::Tree random_tree(std::uint64_t seed) {
    const CounterRandom random(seed, 0);
    std::uint64_t next = 0;
    model::Tree tree;
    const auto grow = [&](auto&& self, int depth) -> std::uint32_t {
        const auto at = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes.push_back(
            leaf({static_cast<double>(random.below(next++, 9)), static_cast<double>(random.below(next++, 9))}));
        if (depth == 0) return at;
        const auto feature = static_cast<std::uint32_t>(random.below(next++, 4));
        model::Question question =
            feature == 2 ? one_of(2, {1}, {0, 1}) : above(feature, static_cast<double>(random.below(next++, 24)) - 2);
        tree.nodes[at].question = std::move(question);
        const std::uint32_t left = self(self, depth - 1);
        const std::uint32_t right = self(self, depth - 1);
        tree.nodes[at].left = NodeId{left};
        tree.nodes[at].right = NodeId{right};
        return at;
    };
    grow(grow, 3);
    return tree;
}

model::Ensemble random_forest(std::size_t trees, model::Combination combination) {
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "k", {"no", "yes"}).combination(combination);
    builder.features({numeric("x"), numeric("y"), category("c", {"p", "q"}), numeric("z")});
    for (std::size_t t = 0; t < trees; ++t) builder.add_tree(random_tree(t + 1));
    return std::move(builder).build();
}

/// Middles of the intervals between the ends and the cuts.
std::vector<double> middles(std::vector<double> cuts, double low, double high) {
    cuts.insert(cuts.begin(), low);
    cuts.push_back(high);
    std::vector<double> points;
    for (std::size_t i = 1; i < cuts.size(); ++i) points.push_back((cuts[i - 1] + cuts[i]) / 2);
    return points;
}

void expect_predicted(const model::Ensemble& ensemble, const PlaneGrid& grid) {
    std::vector<double> x;
    std::vector<double> y;
    for (const double up : middles(grid.y_cuts, 0, 20)) {
        for (const double across : middles(grid.x_cuts, 0, 10)) {
            x.push_back(across);
            y.push_back(up);
        }
    }
    const std::size_t cells = x.size();
    const auto rows =
        table({numbers("x", x), numbers("y", y), codes("c", {"p", "q"}, std::vector<std::int32_t>(cells, 1)),
               numbers("z", std::vector<double>(cells, 7))});
    const Predictor predictor(ensemble, rows.schema);
    const auto leaves = predictor.leaves(rows);
    EXPECT_EQ(grid.classes, predictor.classes(leaves));
    const auto probabilities = predictor.probabilities(leaves);
    ASSERT_EQ(grid.shares.size(), cells);
    for (std::size_t i = 0; i < cells; ++i)
        EXPECT_EQ(grid.shares[i], probabilities[2 * i + static_cast<std::size_t>(grid.classes[i])]);
}

TEST(PlaneGrid, AnswersAsThePredictorDoes) {
    for (const auto combination : {model::Combination::mean, model::Combination::majority}) {
        for (const std::size_t trees : {1U, 2U, 9U}) {
            const model::Ensemble ensemble = random_forest(trees, combination);
            const PlaneGrid grid = plane_grid(ensemble, plane_of({0, 0, 1, 7}), 10000);
            expect_predicted(ensemble, grid);
            EXPECT_GT(grid.columns() * grid.rows(), trees == 9 ? 20U : 0U);
        }
    }
}

TEST(PlaneGrid, HoldsTheMeansOfARegression) {
    const auto ensemble = regression({numeric("x"), numeric("y")}, {stump(above(0, 5)), stump(above(1, 10))});
    const PlaneGrid grid = plane_grid(ensemble, plane_of({0, 0}), 4);
    EXPECT_THAT(grid.x_cuts, ElementsAre(5));
    EXPECT_THAT(grid.y_cuts, ElementsAre(10));
    EXPECT_THAT(grid.values, ElementsAre(0, 0.5, 0.5, 1));
    EXPECT_TRUE(grid.classes.empty());
}

TEST(PlaneGrid, RefusesTooManyCells) {
    const auto ensemble = regression({numeric("x"), numeric("y")}, {stump(above(0, 5)), stump(above(1, 10))});
    EXPECT_THROW(plane_grid(ensemble, plane_of({0, 0}), 3), LimitError);
}

}  // namespace
}  // namespace regrove::infer
