// Grids of a feature and answers with it held, against tables that hold those values.
#include "regrove/infer/feature_grid.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regrove/infer/held_features.hpp"
#include "regrove/infer/predictor.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

model::Tree with_surrogate() {
    model::Question first = above(0, 0.5);
    model::Surrogate surrogate;
    surrogate.feature = FeatureId{1};
    surrogate.threshold = 0.25;
    first.surrogates.push_back(surrogate);
    return {{inner(std::move(first), 1, 4, {0}), inner(one_of(2, {1}, {0, 1, 2}), 2, 3, {0}), leaf({0}), leaf({1}),
             leaf({2})}};
}

model::Ensemble sample() {
    model::Tree missing = stump(above(0, k_inf));
    missing.nodes[0].question.missing_seen = true;
    missing.nodes[0].question.missing_side = model::Side::right;
    return regression(
        {numeric("a"), numeric("b"), category("c", {"x", "y", "z"}), numeric("d")},
        {with_surrogate(), stump(above(1, 0.7)), stump(above(0, 0.2)), stump(above(0, 0.5)), std::move(missing)});
}

TEST(FeatureGrid, TakesEachIntervalBetweenThresholdsOnceAndNoValueLast) {
    const auto grid = feature_grid(sample(), FeatureId{0}, 100);
    ASSERT_EQ(grid.size(), 4U);
    EXPECT_EQ(grid[0].low, -k_inf);
    EXPECT_EQ(grid[0].high, 0.2);
    EXPECT_EQ(grid[0].cell, 0.2);
    EXPECT_EQ(grid[1].low, 0.2);
    EXPECT_EQ(grid[1].cell, 0.5);
    EXPECT_EQ(grid[2].low, 0.5);
    EXPECT_EQ(grid[2].cell, k_inf);
    EXPECT_EQ(grid[3].kind, GridKind::missing);
    EXPECT_TRUE(std::isnan(grid[3].cell));
    EXPECT_EQ(feature_grid(sample(), FeatureId{1}, 100).size(), 3U);  // a surrogate's threshold counts
    EXPECT_EQ(feature_grid(sample(), FeatureId{3}, 100).size(), 1U);
}

TEST(FeatureGrid, LeavesOutIntervalsThatHoldNoFloatOfAFloat32Feature) {
    const model::Ensemble ensemble = regression({numeric("a", model::NumericPrecision::float32)},
                                                {stump(above(0, 0.1)), stump(above(0, 0.1 + 1e-12))});
    const auto grid = feature_grid(ensemble, FeatureId{0}, 100);
    ASSERT_EQ(grid.size(), 2U);
    EXPECT_EQ(grid[0].high, 0.1);
    EXPECT_EQ(grid[0].cell, std::nextafter(0.1F, 0.0F));
    EXPECT_EQ(grid[1].low, 0.1 + 1e-12);
}

TEST(FeatureGrid, OfACategoryIsItsDictionary) {
    const auto grid = feature_grid(sample(), FeatureId{2}, 2);
    ASSERT_EQ(grid.size(), 3U);
    for (std::size_t code = 0; code < 3; ++code) {
        EXPECT_EQ(grid[code].kind, GridKind::category);
        EXPECT_EQ(grid[code].cell, static_cast<double>(code));
    }
}

TEST(FeatureGrid, ThinsOutEvenlyWithBothEnds) {
    std::vector<model::Tree> trees;
    for (int i = 0; i < 9; ++i) trees.push_back(stump(above(0, i)));
    const auto grid = feature_grid(regression({numeric("a")}, std::move(trees)), FeatureId{0}, 4);
    ASSERT_EQ(grid.size(), 4U);
    EXPECT_EQ(grid[0].high, 0);
    EXPECT_EQ(grid[1].low, 2);
    EXPECT_EQ(grid[1].high, 3);
    EXPECT_EQ(grid[2].high, 6);
    EXPECT_EQ(grid[3].low, 8);
    EXPECT_EQ(grid[3].high, k_inf);
}

TEST(HeldFeatures, FindTheLeavesOfATableWithThoseValues) {
    const model::Ensemble ensemble = sample();
    const data::TableShard rows = table({numbers("a", {0, 0.3, 0.9, k_nan}), numbers("b", {0.1, 0.9, 0.3, 0.8}),
                                         codes("c", {"z", "y", "x"}, {0, 1, 2, -1}), numbers("d", {1, 2, 3, 4})});
    const Binding binding(ensemble, rows.schema);
    const Predictor predictor(ensemble, rows.schema);
    const HeldFeatures held(ensemble, binding, {FeatureId{0}, FeatureId{2}});
    EXPECT_EQ(held.trees(), 4U);
    for (const double a : {0.1, 0.4, k_inf, k_nan})
        for (const std::int32_t code : {-1, 0, 1, 2}) {
            data::TableShard changed = rows;
            changed.values[0] = std::vector<double>(4, a);
            changed.values[2] = std::vector<std::int32_t>(4, code);
            auto leaves = predictor.leaves(rows);
            held.walk(rows, std::vector<double>{a, code < 0 ? k_nan : 2.0 - code}, leaves);
            EXPECT_EQ(leaves, predictor.leaves(changed)) << a << " " << code;
        }
}

}  // namespace
}  // namespace regrove::infer
