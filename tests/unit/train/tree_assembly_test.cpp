#include "regrove/train/tree_assembly.hpp"

#include <gtest/gtest.h>

namespace regrove::train {
namespace {

model::Node leaf(double value) {
    model::Node node;
    node.value = {value};
    return node;
}

model::Node inner(std::uint32_t left, std::uint32_t right, double threshold) {
    model::Node node;
    node.question.kind = model::QuestionKind::threshold;
    node.question.feature = FeatureId{0};
    node.question.threshold = threshold;
    node.left = NodeId{left};
    node.right = NodeId{right};
    return node;
}

/// The values of the leaves from left to right, each behind the thresholds on its path.
std::vector<std::vector<double>> paths(const model::Tree& tree, NodeId id = NodeId{0},
                                       std::vector<double> above = {}) {
    const model::Node& node = tree.node(id);
    above.push_back(node.is_leaf() ? node.value[0] : node.question.threshold);
    if (node.is_leaf()) return {above};
    auto all = paths(tree, node.left, above);
    for (auto& path : paths(tree, node.right, above)) all.push_back(std::move(path));
    return all;
}

TEST(Graft, PutsSubtreesInThePlaceOfLeaves) {
    // ((1) 10 ((2) 20 (3)))
    const model::Tree tree{{inner(1, 2, 10), leaf(1), inner(3, 4, 20), leaf(2), leaf(3)}};
    const model::Tree two{{inner(1, 2, 30), leaf(4), leaf(5)}};
    const model::Tree three{{inner(1, 4, 40), inner(2, 3, 50), leaf(6), leaf(7), leaf(8)}};
    const model::Tree grown = graft(tree, {{NodeId{1}, three}, {NodeId{4}, two}});
    ASSERT_EQ(grown.nodes.size(), 11U);
    EXPECT_EQ(paths(grown),
              (std::vector<std::vector<double>>{
                  {10, 40, 50, 6}, {10, 40, 50, 7}, {10, 40, 8}, {10, 20, 2}, {10, 20, 30, 4}, {10, 20, 30, 5}}));
    for (std::size_t i = 0; i < grown.nodes.size(); ++i) {
        if (grown.nodes[i].is_leaf()) continue;
        EXPECT_EQ(index(grown.nodes[i].left), i + 1);
    }
}

TEST(Graft, TakesAWholeTreeForALoneLeaf) {
    const model::Tree two{{inner(1, 2, 30), leaf(4), leaf(5)}};
    EXPECT_EQ(graft(model::Tree{{leaf(0)}}, {{NodeId{0}, two}}), two);
    EXPECT_EQ(graft(two, {}), two);
}

}  // namespace
}  // namespace regrove::train
