// Symmetric boosted trees where a side of a node is empty, and where features are drawn for each level.
#include <set>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/train/boosting_tree_grower.hpp"

#include "support/boosting_tables.hpp"

namespace regrove::train {
namespace {

GrownBoostedTree grow(const BoostingTable& table, const BoostingOptions& options, const test::RandomGradients& random,
                      std::vector<std::int8_t> monotone = {}) {
    const BoostingPlan plan{table, options, std::move(monotone), Interactions({}, table.features()), 7};
    LoneExchange alone;
    BoostingWorkspace workspace;
    return grow_boosted_tree(plan, random.view(), 3, alone, workspace);
}

/// Ten rows of each (x0, x1): (0, 0) of gradient -1, (1, 0) of 2, (1, 1) of 0. The root asks x0, the next level x1.
TEST(SymmetricTree, AnEmptySideDoesNotBoundTheFullOne) {
    test::BinnedShape shape;
    shape.rows = 30;
    shape.bins = {2, 2};
    binning::BinnedTable binned = random_binned(shape);
    test::RandomGradients random;
    std::vector<std::uint8_t> first;
    std::vector<std::uint8_t> second;
    for (std::size_t row = 0; row < 30; ++row) {
        first.push_back(row < 10 ? 0 : 1);
        second.push_back(row < 20 ? 0 : 1);
        random.gradient.push_back(row < 10 ? -1 : row < 20 ? 2 : 0);
        random.hessian.push_back(1);
    }
    binned.codes = {first, second};
    BoostingOptions options;
    options.growth = BoostingGrowth::symmetric;
    options.max_depth = 2;
    options.learning_rate = 1;
    options.reg_lambda = 0;
    const auto grown = grow(BoostingTable(binned), options, random, {0, 1});
    ASSERT_EQ(grown.tree.nodes.size(), 7U);
    const model::Node& root = grown.tree.nodes[0];
    ASSERT_EQ(index(root.question.feature), 0U);
    const model::Node& low = grown.tree.node(root.left);
    ASSERT_EQ(index(low.question.feature), 1U);
    EXPECT_EQ(grown.tree.node(low.right).rows, 0U);
    EXPECT_EQ(grown.tree.node(low.left).value[0], 1);
    EXPECT_EQ(grown.tree.node(low.right).value[0], 1) << "no rows: answers as its parent";
    const model::Node& high = grown.tree.node(root.right);
    EXPECT_EQ(grown.tree.node(high.left).value[0], -2);
    EXPECT_EQ(grown.tree.node(high.right).value[0], 0);
}

TEST(SymmetricTree, DrawsTheFeaturesOfEachLevelAnew) {
    test::BinnedShape shape;
    shape.rows = 400;
    shape.bins = std::vector<std::uint32_t>(8, 6);
    BoostingOptions options;
    options.growth = BoostingGrowth::symmetric;
    options.max_depth = 4;
    options.min_child_weight = 0;
    options.colsample_bynode = 0.125;  // one of the eight
    const auto grown = grow(BoostingTable(random_binned(shape)), options, test::random_gradients(1, 400));
    std::set<std::uint32_t> asked;
    for (const model::Node& node : grown.tree.nodes) {
        if (!node.is_leaf()) asked.insert(index(node.question.feature));
    }
    EXPECT_GT(asked.size(), 1U);
}

TEST(SymmetricTree, RefusesLevelsWhoseHistogramsAreTooLarge) {
    test::BinnedShape shape;
    shape.rows = 8;
    shape.bins = std::vector<std::uint32_t>(2100, 65535);  // 2100 features of 1 MiB
    shape.categorical = 2100;
    BoostingOptions options;
    options.growth = BoostingGrowth::symmetric;
    const BoostingTable table(random_binned(shape));
    const auto random = test::random_gradients(1, 8);
    EXPECT_THROW(static_cast<void>(grow(table, options, random)), LimitError);
}

}  // namespace
}  // namespace regrove::train
