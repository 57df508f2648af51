// Paths, cuts and levels on trees small enough to prune by hand.
#include "regrove/prune/cost_complexity.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/prune/cut_nodes.hpp"
#include "regrove/prune/path_levels.hpp"

#include "unit/prune/small_trees.hpp"

namespace regrove::prune {
namespace {

using ::testing::ElementsAre;

/// Root (weight 8, R = 1) of a left subtree "a" with two pure leaves (R(a) = 0.25) and a right one "b" (R(b) = 0.5) whose
/// left child "c" is inner too (R(c) = 0.25):
///   0 root, 1 a, 2 and 3 leaves, 4 b, 5 c, 6 and 7 leaves, 8 leaf
model::Tree example() {
    SmallTree tree;
    tree.inner(8, 1.0);
    tree.inner(2, 1.0);  // a
    tree.leaf(1, 0).leaf(1, 0);
    tree.inner(6, 4.0 / 6);  // b
    tree.inner(4, 0.5);      // c
    tree.leaf(2, 0).leaf(2, 0);
    tree.leaf(2, 0);
    return std::move(tree).finish();
}

TEST(CostComplexity, HandMadePath) {
    const CostComplexityPath path = cost_complexity_path(example());
    EXPECT_EQ(path.leaves, 5U);
    EXPECT_EQ(path.impurity, 0);
    // g(root) = 1 / 4, g(a) = 0.25, g(b) = 0.5 / 2, g(c) = 0.25: all equal, so the first in pre-order takes all.
    ASSERT_EQ(path.steps.size(), 1U);
    EXPECT_EQ(path.steps[0].node, NodeId{0});
    EXPECT_EQ(path.steps[0].alpha, 0.25);
    EXPECT_EQ(path.steps[0].leaves, 1U);
    EXPECT_EQ(path.steps[0].impurity, 1);
}

TEST(CostComplexity, WeakestLinkFirstThenItsAncestors) {
    model::Tree tree = example();
    tree.nodes[5].impurity = 0.125;  // R(c) = 1/16
    tree.nodes[1].impurity = 0.5;    // R(a) = 1/8
    const CostComplexityPath path = cost_complexity_path(tree);
    ASSERT_EQ(path.steps.size(), 3U);
    EXPECT_EQ(path.steps[0].node, NodeId{5});
    EXPECT_EQ(path.steps[0].alpha, 0.0625);
    EXPECT_EQ(path.steps[0].leaves, 4U);
    EXPECT_EQ(path.steps[0].impurity, 0.0625);
    EXPECT_EQ(path.steps[1].node, NodeId{1});
    EXPECT_EQ(path.steps[1].alpha, 0.125);
    EXPECT_EQ(path.steps[2].node, NodeId{0});  // g(b) = 0.5 - 0.0625 after c is gone, g(root) = (1 - 0.1875) / 2
    EXPECT_EQ(path.steps[2].alpha, 0.40625);
    EXPECT_EQ(path.steps[2].leaves, 1U);
}

TEST(CostComplexity, StepsAreTakenUpToEqualAlphaAndNoneAtZero) {
    model::Tree tree = example();
    tree.nodes[5].impurity = 0;  // a question that gains nothing
    const CostComplexityPath path = cost_complexity_path(tree);
    ASSERT_EQ(path.steps[0].alpha, 0);
    EXPECT_EQ(steps_taken(path, 0), 0U);
    EXPECT_EQ(steps_taken(path, -1), 0U);
    EXPECT_EQ(steps_taken(path, 5e-324), 1U);
    EXPECT_EQ(steps_taken(path, path.steps[1].alpha), 2U);
    EXPECT_EQ(pruned_tree(tree, path, path.steps.back().alpha).nodes.size(), 1U);
    EXPECT_EQ(pruned_tree(tree, path, 0), tree);
}

TEST(CostComplexity, ARootAloneHasNoSteps) {
    SmallTree tree;
    tree.leaf(3, 0.5);
    const CostComplexityPath path = cost_complexity_path(std::move(tree).finish());
    EXPECT_TRUE(path.steps.empty());
    EXPECT_EQ(path.leaves, 1U);
    EXPECT_EQ(path.impurity, 0.5);
    EXPECT_EQ(candidate_alphas(path_levels({path})), std::vector<double>{0});
}

TEST(CostComplexity, WithoutWeightAllAlphasAreZero) {
    SmallTree tree;
    tree.inner(0, 0).leaf(0, 0).leaf(0, 0);
    const CostComplexityPath path = cost_complexity_path(std::move(tree).finish());
    ASSERT_EQ(path.steps.size(), 1U);
    EXPECT_EQ(path.steps[0].alpha, 0);
}

TEST(CutNodes, InnerNodesBecomeLeavesInPreOrder) {
    const model::Tree tree = example();
    const NodeId cut[] = {NodeId{5}, NodeId{1}, NodeId{2}};
    const model::Tree pruned = cut_nodes(tree, cut);
    ASSERT_EQ(pruned.nodes.size(), 5U);
    EXPECT_EQ(pruned.nodes[0].right, NodeId{2});
    EXPECT_EQ(pruned.nodes[2].left, NodeId{3});
    EXPECT_EQ(pruned.nodes[2].right, NodeId{4});
    const model::Node& leaf = pruned.nodes[1];
    EXPECT_TRUE(leaf.is_leaf());
    EXPECT_EQ(leaf.question, model::Question{});
    EXPECT_EQ(leaf.gain, 0);
    EXPECT_EQ(leaf.value, tree.nodes[1].value);
    EXPECT_EQ(leaf.weight, 2);
    EXPECT_EQ(leaf.impurity, 1);
    EXPECT_EQ(pruned.nodes[4], tree.nodes[8]);
    model::validate(ensemble_of(pruned));
}

TEST(CutNodes, ANodeBelowAnotherChangesNothing) {
    const NodeId both[] = {NodeId{5}, NodeId{4}};
    const NodeId upper[] = {NodeId{4}};
    EXPECT_EQ(cut_nodes(example(), both), cut_nodes(example(), upper));
    EXPECT_EQ(cut_nodes(example(), {}), example());
}

TEST(PathLevels, StepsOfOneAlphaShareALevel) {
    CostComplexityPath path{9, 0, {}};
    path.steps = {{0.1, NodeId{3}, 8, 0.1}, {0.1 * (1 + 1e-12), NodeId{5}, 7, 0.2}, {0.4, NodeId{0}, 1, 0.9}};
    const auto levels = path_levels({path});
    ASSERT_EQ(levels.size(), 3U);
    EXPECT_EQ(levels[0].leaves, 9U);
    EXPECT_EQ(levels[1].leaves, 7U);
    EXPECT_EQ(levels[1].cuts, 2U);
    EXPECT_EQ(levels[1].alpha, 0.1 * (1 + 1e-12));
    EXPECT_EQ(steps_taken(path, levels[1].alpha), 2U);
    EXPECT_DOUBLE_EQ(levels[2].impurity, 0.9);
    const auto candidates = candidate_alphas(levels);
    EXPECT_EQ(candidates[0], 0);
    EXPECT_NEAR(candidates[1], 0.2, 1e-12);
    EXPECT_TRUE(std::isinf(candidates[2]));
}

TEST(PathLevels, TreesAreCutTogether) {
    CostComplexityPath first{3, 0, {{0.1, NodeId{1}, 2, 0.1}, {0.3, NodeId{0}, 1, 0.4}}};
    CostComplexityPath second{2, 0.2, {{0.2, NodeId{0}, 1, 0.4}}};
    const auto levels = path_levels({first, second});
    std::vector<std::uint64_t> leaves;
    std::vector<double> impurities;
    for (const PathLevel& level : levels) {
        leaves.push_back(level.leaves);
        impurities.push_back(level.impurity);
    }
    EXPECT_THAT(leaves, ElementsAre(5, 4, 3, 2));
    EXPECT_NEAR(impurities[0], 0.1, 1e-15);
    EXPECT_NEAR(impurities[2], 0.25, 1e-15);
    EXPECT_NEAR(impurities[3], 0.4, 1e-15);
}

TEST(PathLevels, FreeCutsHaveACandidateAboveZero) {
    CostComplexityPath path{3, 0, {{0, NodeId{1}, 2, 0}, {0.5, NodeId{0}, 1, 0.5}}};
    const auto candidates = candidate_alphas(path_levels({path}));
    ASSERT_EQ(candidates.size(), 3U);
    EXPECT_GT(candidates[1], 0);
    EXPECT_EQ(steps_taken(path, candidates[1]), 1U);
}

}  // namespace
}  // namespace regrove::prune
