#include "regrove/train/growth_plan.hpp"

#include <gtest/gtest.h>

namespace regrove::train {
namespace {

/// A complete tree of depth 2 whose inner nodes gain 9 (root), 2 (left) and 5 (right), evaluated round by round.
class GrowthPlan : public testing::Test {
  protected:
    GrowthPlan() { add(9); }
    void add(double gain) { nodes.push_back({0, 0, true, gain > 0, gain}); }
    void open(std::uint32_t node, double left_gain, double right_gain) {
        nodes[node].left = static_cast<std::uint32_t>(nodes.size());
        nodes[node].right = nodes[node].left + 1;
        add(left_gain);
        add(right_gain);
    }
    std::vector<PlannedNode> nodes;
};

TEST_F(GrowthPlan, WithoutALimitOpensAllThatCanBeSplit) {
    EXPECT_EQ(nodes_to_open(nodes, 0), (std::vector<std::uint32_t>{0}));
    open(0, 2, 5);
    EXPECT_EQ(nodes_to_open(nodes, 0), (std::vector<std::uint32_t>{1, 2}));
    open(1, 0, 0);
    open(2, 0, 0);
    EXPECT_TRUE(nodes_to_open(nodes, 0).empty());
    EXPECT_EQ(final_inner_nodes(nodes, 0), (std::vector<bool>{true, true, true, false, false, false, false}));
}

TEST_F(GrowthPlan, WithThreeLeavesTakesTheBetterChild) {
    open(0, 2, 5);
    EXPECT_EQ(nodes_to_open(nodes, 3), (std::vector<std::uint32_t>{2}));
    open(2, 0, 0);
    EXPECT_TRUE(nodes_to_open(nodes, 3).empty());
    EXPECT_EQ(final_inner_nodes(nodes, 3), (std::vector<bool>{true, false, true, false, false}));
}

TEST_F(GrowthPlan, AGrandchildMayBeatAnOpenedSibling) {
    // With four leaves both children are opened at first; then a grandchild gains 4 and beats the left child's 2.
    open(0, 2, 5);
    EXPECT_EQ(nodes_to_open(nodes, 4), (std::vector<std::uint32_t>{1, 2}));
    open(1, 0, 0);
    open(2, 4, 0);
    EXPECT_EQ(nodes_to_open(nodes, 4), (std::vector<std::uint32_t>{5}));
    open(5, 0, 0);
    EXPECT_TRUE(nodes_to_open(nodes, 4).empty());
    const auto inner = final_inner_nodes(nodes, 4);
    EXPECT_TRUE(inner[0] && inner[2] && inner[5]);
    EXPECT_FALSE(inner[1]);
}

TEST_F(GrowthPlan, DepthFirstFinishesTheLeftSubtreeFirst) {
    const auto next = [&] { return nodes_to_open(nodes, 0, GrowthOrder::depth_first); };
    EXPECT_EQ(next(), (std::vector<std::uint32_t>{0}));
    open(0, 2, 5);
    EXPECT_EQ(next(), (std::vector<std::uint32_t>{1}));
    open(1, 0, 3);
    EXPECT_EQ(next(), (std::vector<std::uint32_t>{4}));
    open(4, 0, 0);
    EXPECT_EQ(next(), (std::vector<std::uint32_t>{2}));
    open(2, 0, 0);
    EXPECT_TRUE(next().empty());
}

TEST_F(GrowthPlan, OneLeafIsTheRoot) {
    EXPECT_TRUE(nodes_to_open(nodes, 1).empty());
    EXPECT_EQ(final_inner_nodes(nodes, 1), (std::vector<bool>{false}));
}

}  // namespace
}  // namespace regrove::train
