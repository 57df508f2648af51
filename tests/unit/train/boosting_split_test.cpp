// Where categories stand in the order that subset questions are cut from.
#include "regrove/train/boosting_split.hpp"

#include <gtest/gtest.h>

namespace regrove::train {
namespace {

TEST(BoostingSplit, CategoriesTooLightToBeASideStandAtZero) {
    BoostingOptions options;
    options.min_child_weight = 2;
    options.category_smoothing = 1;
    GradientGrid grid;
    grid.gradient_unit = 0.5;
    grid.hessian_unit = 0.25;
    const BoostingSplitRules rules = make_boosting_rules(options, grid, {});
    EXPECT_EQ(rules.category_place({6, 12, 3}), 3.0 / (3.0 + 1.0));   // G = 6 halves, H = 12 quarters
    EXPECT_EQ(rules.category_place({-6, 8, 3}), -3.0 / (2.0 + 1.0));  // just heavy enough
    EXPECT_EQ(rules.category_place({-600, 7, 3}), 0.0);
}

}  // namespace
}  // namespace regrove::train
