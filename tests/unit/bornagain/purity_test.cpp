// Whether boxes hold one class, against a look at every cell; rounding, ties, budgets.
#include "../src/bornagain/purity.hpp"

#include <set>

#include <gtest/gtest.h>

#include "small_spaces.hpp"

namespace regrove::bornagain {
namespace {

using test::for_each_cell;
using test::random_box;
using test::small_space;
using test::SmallSpace;

TEST(Purity, AgreesWithEveryCellOfRandomBoxes) {
    std::uint64_t pure = 0;
    std::uint64_t impure = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const SmallSpace one = small_space(seed);
        PurityProver prover(one.ensemble);
        CounterRandom random(seed, 5);
        std::uint64_t next = 0;
        for (int i = 0; i < 20; ++i) {
            const cellspace::Box box = random_box(one.space, random, next);
            std::set<std::uint32_t> classes;
            for_each_cell(box, [&](const auto& cell) { classes.insert(one.ensemble.class_at(cell)); });
            const PurityResult result = prover.prove(box);
            ASSERT_EQ(result.purity, classes.size() == 1 ? Purity::pure : Purity::impure) << "seed " << seed;
            EXPECT_EQ(result.class_index, one.ensemble.class_at(box.low));
            (classes.size() == 1 ? pure : impure) += 1;
            if (classes.size() == 1) continue;
            for (std::size_t j = 0; j < box.low.size(); ++j) {
                ASSERT_GE(result.other_cell[j], box.low[j]);
                ASSERT_LE(result.other_cell[j], box.high[j]);
            }
            EXPECT_NE(one.ensemble.class_at(result.other_cell), result.class_index);
        }
    }
    EXPECT_GT(pure, 200U);
    EXPECT_GT(impure, 200U);
}

model::Tree stump(double left, double right, std::uint32_t feature) {
    model::Tree tree;
    tree.nodes.resize(3);
    tree.nodes[0].question.kind = model::QuestionKind::threshold;
    tree.nodes[0].question.feature = FeatureId{feature};
    tree.nodes[0].left = NodeId{1};
    tree.nodes[0].right = NodeId{2};
    for (const double value : {left, right}) tree.nodes[value == left ? 1 : 2].value = {value, 1 - value};
    tree.nodes[0].value = {0.5, 0.5};
    return tree;
}

SmallSpace shares(std::vector<std::pair<double, double>> trees) {
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "y", {"no", "yes"}).features(model::numbered_features(trees.size()));
    for (std::uint32_t t = 0; t < trees.size(); ++t) builder.add_tree(stump(trees[t].first, trees[t].second, t));
    return SmallSpace(std::move(builder).build());
}

/// 0.1 + 0.2 + 0.7 and 0.9 + 0.8 + 0.3 differ from what exact sums would be by roundings that decide ties.
TEST(Purity, DecidesNearTiesAsPredictionDoes) {
    for (const auto& trees : std::vector<std::vector<std::pair<double, double>>>{
             {{0.1, 0.9}, {0.2, 0.8}, {0.7, 0.3}},
             {{0.3, 0.7}, {0.7, 0.3}},
             {{0.1, 0.4}, {0.6, 0.9}, {0.8, 0.2}, {0.5, 0.4}},
             {{0.1, 0.2}, {0.3, 0.6}, {0.6, 0.7}, {0.9, 0.2}, {0.4, 0.6}, {0.7, 0.5}}}) {
        const SmallSpace one = shares(trees);
        PurityProver prover(one.ensemble);
        for_each_cell(cellspace::whole(one.space), [&](const std::vector<std::uint32_t>& low) {
            cellspace::Box box{low, cellspace::whole(one.space).high};
            std::set<std::uint32_t> classes;
            for_each_cell(box, [&](const auto& cell) { classes.insert(one.ensemble.class_at(cell)); });
            EXPECT_EQ(prover.prove(box).purity, classes.size() == 1 ? Purity::pure : Purity::impure);
        });
    }
}

TEST(Purity, IsUndecidedWhenItsBudgetIsSpent) {
    const SmallSpace one = small_space(31, 5);
    PurityProver prover(one.ensemble);
    const cellspace::Box box = cellspace::whole(one.space);
    ASSERT_EQ(prover.prove(box).purity, Purity::impure);
    PurityBudget budget;
    budget.boxes = 1;
    EXPECT_EQ(prover.prove(box, budget).purity, Purity::undecided);
}

TEST(Purity, GoesOnAfterAnEnd) {
    const SmallSpace one = shares(std::vector<std::pair<double, double>>(14, {0.4, 0.6}));
    PurityProver prover(one.ensemble);
    cellspace::Box box = cellspace::whole(one.space);
    PurityBudget ended;
    ended.ends = [] { return true; };
    ended.boxes = 1;
    EXPECT_EQ(prover.prove(box, ended).purity, Purity::undecided);
    EXPECT_EQ(prover.prove(box).purity, Purity::impure);
    for (std::size_t j = 0; j < 8; ++j) box.high[j] = 0;
    EXPECT_EQ(prover.prove(box).purity, Purity::pure);  // at least eight of fourteen say 0.4 and the rest 0.6
    EXPECT_EQ(prover.prove(box).class_index, 1U);
}

}  // namespace
}  // namespace regrove::bornagain
