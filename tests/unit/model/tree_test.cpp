// Leaves, depth, value length and question words of small hand-made trees.
#include "regrove/model/tree.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regrove/model/ensemble.hpp"

#include "unit/model/hand_made.hpp"

namespace regrove::model {
namespace {

TEST(Tree, SingleLeaf) {
    const Tree tree{{leaf({1})}};
    EXPECT_EQ(tree.leaf_count(), 1U);
    EXPECT_EQ(tree.depth(), 0U);
}

TEST(Tree, CountsLeavesAndLongestPath) {
    const Tree tree = two_questions();
    EXPECT_EQ(tree.leaf_count(), 3U);
    EXPECT_EQ(tree.depth(), 2U);
    EXPECT_EQ(tree.node(NodeId{4}).value, (std::vector<double>{0, 2}));
}

TEST(Tree, DepthOfALongChain) {
    constexpr std::uint32_t questions = 200'000;  // recursion would end here
    Tree chain;
    for (std::uint32_t i = 0; i < questions; ++i) {
        Node node = inner(ask(0, 0.5), 2 * questions - i);
        node.left = NodeId{i + 1};
        chain.nodes.push_back(node);
    }
    for (std::uint32_t i = 0; i <= questions; ++i) chain.nodes.push_back(leaf({1, 0}));
    EXPECT_EQ(chain.depth(), questions);
    EXPECT_EQ(chain.leaf_count(), questions + 1);
}

TEST(Ensemble, OutputsAreClassesOrOne) {
    Ensemble ensemble = patients();
    EXPECT_EQ(ensemble.outputs(), 2U);
    ensemble.task = Task::regression;
    ensemble.classes.clear();
    EXPECT_EQ(ensemble.outputs(), 1U);
}

TEST(QuestionText, IsForPeople) {
    const auto features = patients().features;
    EXPECT_EQ(question_text(ask(0, 0.5), features), "vessels > 0.5");
    EXPECT_EQ(question_text(ask(0, INFINITY), features), "vessels is missing");
    EXPECT_EQ(question_text(ask_for({0, 2}, {0, 1, 2}), features), "stress_test in {normal, reversable}");
    EXPECT_EQ(question_text(ask_for({2}, {0, 1, 2}), features), "stress_test == reversable");
    EXPECT_EQ(question_text(ask_for({}, {0, 1, 2}), features), "stress_test is missing");
    EXPECT_EQ(question_text(Question{}, features), "");
}

TEST(QuestionText, FloatThresholdsAreShort) {
    std::vector<Feature> features = patients().features;
    const double tenth = 0.1F;
    EXPECT_EQ(question_text(ask(0, tenth), features), "vessels > 0.10000000149011612");
    features[0].precision = NumericPrecision::float32;
    EXPECT_EQ(question_text(ask(0, tenth), features), "vessels > 0.1");
    EXPECT_EQ(question_text(ask(0, 0.1), features), "vessels > 0.1");
}

}  // namespace
}  // namespace regrove::model
