// Cutting a tree: what is drawn and what is hidden add up, and the default depth stays readable.
#include "regrove/draw/tree_cut.hpp"

#include <gtest/gtest.h>

#include "unit/draw/sample_trees.hpp"

namespace regrove::draw {
namespace {

std::uint64_t side_by_side(const TreeCut& cut) {
    std::uint64_t count = 0;
    for (const DrawnNode& node : cut.nodes) count += node.has_children() ? 0 : 1;
    return count;
}

TEST(CutTree, DrawsAllOfASmallTree) {
    const TreeCut cut = cut_tree(testing::five_patients().trees.front(), 10);
    EXPECT_TRUE(cut.complete());
    EXPECT_EQ(cut.tree_depth, 2U);
    EXPECT_EQ(cut.drawn_depth, 2U);
    EXPECT_EQ(cut.tree_leaves, 3U);
    EXPECT_EQ(cut.nodes.at(0).left, 1U);
    EXPECT_EQ(cut.nodes.at(0).right, 4U);
}

TEST(CutTree, CountsWhatLiesBelow) {
    const TreeCut cut = cut_tree(testing::five_patients().trees.front(), 1);
    ASSERT_EQ(cut.nodes.size(), 3U);
    EXPECT_FALSE(cut.complete());
    EXPECT_EQ(index(cut.nodes[1].id), 1U);
    EXPECT_FALSE(cut.nodes[1].has_children());
    EXPECT_EQ(cut.nodes[1].hidden_nodes, 2U);
    EXPECT_EQ(cut.nodes[1].hidden_leaves, 2U);
    EXPECT_EQ(index(cut.nodes[2].id), 4U);
    EXPECT_EQ(cut.nodes[2].hidden_nodes, 0U);
    EXPECT_EQ(cut.nodes[2].leaf_number, 2U);  // two hidden ones lie to its left
}

TEST(CutTree, LosesNoNode) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const model::Tree tree = testing::random_tree(80, seed);
        for (std::uint32_t depth = 0; depth < 12; ++depth) {
            const TreeCut cut = cut_tree(tree, depth);
            std::uint64_t hidden = 0;
            for (const DrawnNode& node : cut.nodes) {
                EXPECT_LE(node.depth, depth);
                hidden += node.hidden_nodes;
            }
            EXPECT_EQ(cut.nodes.size() + hidden, tree.nodes.size());
        }
    }
}

TEST(ReadableDepth, IsTheWholeTreeWhenItFits) {
    EXPECT_EQ(readable_depth(testing::random_tree(1, 0)), 0U);
    EXPECT_EQ(readable_depth(testing::balanced_tree(64)), 6U);
    EXPECT_EQ(readable_depth(testing::comb(41)), 40U);
}

TEST(ReadableDepth, CutsWhatIsTooWideOrTooDeep) {
    EXPECT_EQ(readable_depth(testing::balanced_tree(4096)), 6U);
    EXPECT_EQ(readable_depth(testing::comb(2500)), 63U);
    for (unsigned seed = 0; seed < 20; ++seed) {
        const model::Tree tree = testing::random_tree(2500, seed);
        const std::uint32_t depth = readable_depth(tree);
        EXPECT_LE(side_by_side(cut_tree(tree, depth)), 64U);
        EXPECT_GT(side_by_side(cut_tree(tree, depth + 1)), 64U);
    }
}

}  // namespace
}  // namespace regrove::draw
