// Forests against what they must equal: the exact tree, counts by a plain walk, and each other's ways of growing.
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/infer/route.hpp"
#include "regrove/train/forest_random.hpp"

#include "support/forest_cases.hpp"

namespace regrove {
namespace {

model::Tree without_ties(model::Tree tree) {
    for (model::Node& node : tree.nodes) node.ties_cutting_alike = node.ties_cutting_differently = 0;
    return tree;
}

class RandomForests : public testing::TestWithParam<int> {
  protected:
    std::uint64_t seed() const { return static_cast<std::uint64_t>(GetParam()); }
    std::unique_ptr<comm::Communicator> alone_ = comm::make_self_communicator();
};

/// All rows and all features leave nothing to chance: one tree of a forest is the exact tree.
TEST_P(RandomForests, AllRowsAndFeaturesGiveTheExactTree) {
    for (test::ForestCase& c : test::forest_cases(seed(), 60)) {
        if (c.forest.extra_random) continue;
        SCOPED_TRACE(c.name);
        c.forest.trees = 1;
        c.forest.bootstrap = false;
        c.forest.subsample = 1;
        c.forest.max_features = "all";
        c.forest.max_bin = 255;  // more than there are rows: a bin a value
        const data::TableShard table = random_table(c.shape);
        const dist::TrainingSet set = dist::make_training_set(*alone_, table, c.cart);
        const model::Tree exact = dist::grow_cart_tree(*alone_, set, c.cart).tree;
        for (const auto spread : {train::Spread::trees, train::Spread::rows}) {
            c.forest.spread = spread;
            const auto forest = dist::grow_forest(*alone_, table, c.cart, c.forest, seed());
            ASSERT_EQ(forest.ensemble.trees.size(), 1U);
            EXPECT_EQ(forest.ensemble.trees[0], dist::make_ensemble(set, without_ties(exact)).trees[0]);
        }
    }
}

/// Every drawn row, as often as it is drawn, reaches the leaves that say so, in every tree and node.
TEST_P(RandomForests, NodesCountTheRowsThatReachThem) {
    for (test::ForestCase& c : test::forest_cases(seed(), 90)) {
        SCOPED_TRACE(c.name);
        const data::TableShard table = random_table(c.shape);
        const auto forest = dist::grow_forest(*alone_, table, c.cart, c.forest, seed());
        const infer::Binding binding(forest.ensemble, table.schema);
        const std::vector<double> weights = dist::weights_of(table);
        std::vector<double> cells;
        binding.fill(table, 0, table.rows, cells);
        const train::RowSampling sampling{seed(), table.rows, train::draws_for_share(c.forest.subsample, table.rows),
                                          c.forest.bootstrap};
        for (std::size_t t = 0; t < forest.ensemble.trees.size(); ++t) {
            const model::Tree& tree = forest.ensemble.trees[t];
            std::vector<std::uint64_t> reached(tree.nodes.size(), 0);
            const auto times = sampling.multiplicities(t, 0, table.rows);
            for (std::size_t row = 0; row < table.rows; ++row) {
                if (times[row] == 0 || (!weights.empty() && weights[row] == 0)) continue;
                infer::PathFlags flags;
                const std::span<const double> own(cells.data() + row * binding.features(), binding.features());
                reached[index(infer::leaf_of(tree, own, flags))] += 1;
                EXPECT_FALSE(flags.unseen_category || flags.unseen_missing || flags.outside_range);
            }
            for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                const model::Node& node = tree.nodes[i];
                if (node.is_leaf()) {
                    EXPECT_EQ(node.rows, reached[i]);
                }
                if (node.is_leaf()) continue;
                EXPECT_EQ(node.rows, tree.node(node.left).rows + tree.node(node.right).rows);
                EXPECT_GE(std::min(tree.node(node.left).rows, tree.node(node.right).rows), c.cart.min_rows_leaf);
                EXPECT_GT(node.gain, 0);
            }
        }
    }
}

TEST_P(RandomForests, DealtTreesAndSpreadRowsAgree) {
    for (test::ForestCase& c : test::forest_cases(seed(), 120)) {
        SCOPED_TRACE(c.name);
        const data::TableShard table = random_table(c.shape);
        c.forest.spread = train::Spread::trees;
        const auto dealt = dist::grow_forest(*alone_, table, c.cart, c.forest, seed());
        c.forest.spread = train::Spread::rows;
        const auto spread = dist::grow_forest(*alone_, table, c.cart, c.forest, seed());
        EXPECT_EQ(dealt.ensemble, spread.ensemble);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomForests, testing::Range(1, 41));

TEST(Forests, MoreTreesLeaveTheFirstOnesAsTheyAre) {
    const auto alone = comm::make_self_communicator();
    test::ForestCase c = test::forest_cases(4, 100)[0];
    const data::TableShard table = random_table(c.shape);
    const auto five = dist::grow_forest(*alone, table, c.cart, c.forest, 9).ensemble.trees;
    c.forest.trees = 8;
    const auto eight = dist::grow_forest(*alone, table, c.cart, c.forest, 9).ensemble.trees;
    ASSERT_EQ(eight.size(), 8U);
    EXPECT_TRUE(std::equal(five.begin(), five.end(), eight.begin()));
    EXPECT_NE(eight[5], eight[6]);
    EXPECT_NE(dist::grow_forest(*alone, table, c.cart, c.forest, 10).ensemble.trees, eight);
}

/// A tree sees about 1 - 1/e of the rows, an out-of-bag answer comes from the others only.
TEST(Forests, OutOfBagAnswersComeFromTreesThatDidNotDrawTheRow) {
    const auto alone = comm::make_self_communicator();
    test::RandomTableShape shape;
    shape.rows = 300;
    shape.continuous = true;
    shape.missing_share = 0;
    const data::TableShard table = random_table(shape);
    train::ForestOptions forest;
    forest.trees = 40;
    forest.out_of_bag = true;
    forest.split_points = train::SplitPoints::exact;
    const auto grown = dist::grow_forest(*alone, table, {}, forest, 1);
    double share = 0;
    for (const auto trees : grown.out_of_bag->trees) share += trees / 40.0 / 300.0;
    EXPECT_NEAR(share, 0.368, 0.01);
    // Full trees know the rows that they drew: what is out of bag must be no better than chance on random labels.
    const infer::Predictor predictor(grown.ensemble, table.schema);
    const auto inside = predictor.classes(predictor.leaves(table));
    const auto& truth = std::get<std::vector<std::int32_t>>(table.values.back());
    std::size_t right_inside = 0;
    std::size_t right_outside = 0;
    for (std::size_t row = 0; row < table.rows; ++row) {
        right_inside += inside[row] == truth[row] ? 1 : 0;
        const double* const answer = grown.out_of_bag->answer.data() + 2 * row;
        right_outside += (answer[1] > answer[0] ? 1 : 0) == truth[row] ? 1 : 0;
    }
    EXPECT_GE(right_inside, 297U);
    EXPECT_LT(right_outside, 195U);
}

/// Gains of tiny targets are zero as doubles; both ways of growing decide by exact fractions all the same.
TEST(Forests, TinyTargetsAreToldApart) {
    const auto alone = comm::make_self_communicator();
    test::RandomTableShape shape;
    shape.rows = 150;
    shape.classes = 0;
    shape.continuous = true;
    data::TableShard table = random_table(shape);
    for (double& value : std::get<std::vector<double>>(table.values.back())) value *= 1e-200;
    train::CartOptions cart;
    cart.criterion = train::Criterion::squared_error;
    train::ForestOptions forest;
    forest.trees = 3;
    forest.max_features = "1";
    for (const auto points : {train::SplitPoints::exact, train::SplitPoints::histogram}) {
        forest.split_points = points;
        forest.spread = train::Spread::trees;
        const auto dealt = dist::grow_forest(*alone, table, cart, forest, 1);
        forest.spread = train::Spread::rows;
        EXPECT_EQ(dealt.ensemble, dist::grow_forest(*alone, table, cart, forest, 1).ensemble);
        EXPECT_GT(dealt.ensemble.trees[0].nodes.size(), 50U);
    }
}

/// Rows of weight zero may be all that a tree draws: it takes all others then, and is no judge of them.
TEST(Forests, ATreeThatDrewNothingUsefulIsOutOfNoBag) {
    const auto alone = comm::make_self_communicator();
    test::RandomTableShape shape;
    shape.rows = 200;
    shape.continuous = true;
    data::TableShard table = random_table(shape);
    std::vector<double> weights(200, 0.0);
    for (std::size_t row = 0; row < 6; ++row) weights[row] = 1;
    std::get<std::vector<std::int32_t>>(table.values.back())[0] = 0;
    std::get<std::vector<std::int32_t>>(table.values.back())[1] = 1;
    table.schema.columns.push_back({"weight", data::ColumnType::float64, data::ColumnRole::weight, {}});
    table.values.emplace_back(weights);
    train::ForestOptions forest;
    forest.trees = 30;
    forest.subsample = 0.01;
    forest.out_of_bag = true;
    for (const auto points : {train::SplitPoints::exact, train::SplitPoints::histogram}) {
        for (const auto spread : {train::Spread::trees, train::Spread::rows}) {
            forest.split_points = points;
            forest.spread = spread;
            const auto grown = dist::grow_forest(*alone, table, {}, forest, 1);
            const train::RowSampling sampling{1, 200, 2, true};
            std::uint32_t useful = 0;
            for (std::uint64_t tree = 0; tree < 30; ++tree) {
                const auto times = sampling.multiplicities(tree, 0, 6);
                const bool drew = std::any_of(times.begin(), times.end(), [](std::uint32_t n) { return n != 0; });
                useful += drew && times[3] == 0 ? 1 : 0;
            }
            EXPECT_LT(useful, 10U);
            EXPECT_EQ(grown.out_of_bag->trees[3], useful);
        }
    }
}

/// One category or none: "has no value" is the only question, and the one that decides.
TEST(Forests, RandomCategorySetsAskWhetherThereIsAValue) {
    const auto alone = comm::make_self_communicator();
    data::TableShard table;
    table.rows = table.global_rows = 60;
    table.schema.columns = {{"kind", data::ColumnType::category, data::ColumnRole::feature, {"only"}},
                            {"label", data::ColumnType::category, data::ColumnRole::label, {"no", "yes"}}};
    std::vector<std::int32_t> kind;
    std::vector<std::int32_t> label;
    for (std::int32_t row = 0; row < 60; ++row) {
        kind.push_back(row % 3 == 0 ? data::k_missing_category : 0);
        label.push_back(row % 3 == 0 ? 1 : 0);
    }
    table.values = {kind, label};
    train::CartOptions cart;
    cart.missing_split = train::MissingSplit::separate;
    train::ForestOptions forest;
    forest.trees = 4;
    forest.extra_random = true;
    for (const auto spread : {train::Spread::trees, train::Spread::rows}) {
        forest.spread = spread;
        for (const auto& tree : dist::grow_forest(*alone, table, cart, forest, 1).ensemble.trees) {
            ASSERT_EQ(tree.nodes.size(), 3U);
            EXPECT_EQ(tree.nodes[0].question.missing_side, model::Side::right);
            EXPECT_EQ(tree.nodes[2].value, (std::vector<double>{0, tree.nodes[2].weight}));
        }
    }
}

TEST(Forests, RefuseOptionsThatContradict) {
    const auto alone = comm::make_self_communicator();
    const data::TableShard table = test::random_table({});
    train::CartOptions cart;
    cart.missing_split = train::MissingSplit::surrogate;
    EXPECT_THROW(dist::grow_forest(*alone, table, cart, {}, 1), ConfigError);
    train::ForestOptions forest;
    forest.max_features = "6";
    EXPECT_THROW(dist::grow_forest(*alone, table, {}, forest, 1), ConfigError);
    forest = {};
    forest.bootstrap = false;
    forest.out_of_bag = true;
    EXPECT_THROW(dist::grow_forest(*alone, table, {}, forest, 1), ConfigError);
}

}  // namespace
}  // namespace regrove
