// Importance by gain of trees made by hand; tests/e2e/explain_test.cpp compares trained trees with scikit-learn.
#include "regrove/infer/gain_importance.hpp"

#include <gtest/gtest.h>

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

model::Node weighed(model::Node node, double weight, double impurity, double gain = 0) {
    node.weight = weight;
    node.impurity = impurity;
    node.gain = gain;
    return node;
}

/// Ten rows: first asks feature 0 (gain 0.2 each row), its left child of six rows feature 1 (gain 0.25 each).
model::Tree two_questions(std::uint32_t first, std::uint32_t second) {
    return {{weighed(inner(above(first, 0), 1, 4, {0}), 10, 0.5, 0.2),
             weighed(inner(above(second, 0), 2, 3, {0}), 6, 0.4, 0.25), weighed(leaf({0}), 3, 0.1),
             weighed(leaf({1}), 3, 0.2), weighed(leaf({2}), 4, 0.15)}};
}

TEST(GainImportance, WeighsGainsByTheRowsThatMetTheQuestion) {
    const auto features =
        gain_importance(regression({numeric("a"), numeric("b"), numeric("c")}, {two_questions(0, 2)}));
    ASSERT_EQ(features.size(), 3U);
    EXPECT_DOUBLE_EQ(features[0].total_gain, 2.0);
    EXPECT_DOUBLE_EQ(features[2].total_gain, 1.5);
    EXPECT_DOUBLE_EQ(features[0].importance, 2.0 / 3.5);
    EXPECT_DOUBLE_EQ(features[2].importance, 1.5 / 3.5);
    EXPECT_EQ(features[0].splits, 1U);
    EXPECT_EQ(features[0].cover, 10);
    EXPECT_EQ(features[2].cover, 6);
    EXPECT_EQ(features[1].importance, 0);
    EXPECT_EQ(features[1].splits, 0U);
    EXPECT_EQ(features[1].cover, 0);
}

TEST(GainImportance, AveragesSharesOverTheTreesThatGain) {
    // The second tree's questions both ask feature 1; the third is a leaf, the fourth gains nothing.
    model::Tree idle = stump(above(2, 0));
    idle.nodes[0].weight = 8;
    const auto features = gain_importance(regression(
        {numeric("a"), numeric("b"), numeric("c")}, {two_questions(0, 1), two_questions(1, 1), {{leaf({0})}}, idle}));
    EXPECT_DOUBLE_EQ(features[0].importance, 2.0 / 3.5 / 2);
    EXPECT_DOUBLE_EQ(features[1].importance, (1.5 / 3.5 + 1) / 2);
    EXPECT_DOUBLE_EQ(features[1].total_gain, 1.5 + 3.5);
    EXPECT_EQ(features[1].splits, 3U);
    EXPECT_EQ(features[1].cover, 6 + 16);
    EXPECT_EQ(features[2].importance, 0);
    EXPECT_EQ(features[2].splits, 1U);
    EXPECT_EQ(features[2].cover, 8);
}

TEST(GainImportance, AveragesByTheTreesWeights) {
    auto ensemble =
        regression({numeric("a"), numeric("b")}, {two_questions(0, 1), two_questions(1, 1), {{leaf({0})}}});
    ensemble.tree_weights = {3, 1, 5};
    const auto features = gain_importance(ensemble);
    EXPECT_DOUBLE_EQ(features[0].importance, 2.0 / 3.5 * 3 / 4);
    EXPECT_DOUBLE_EQ(features[1].importance, (1.5 / 3.5 * 3 + 1) / 4);
    EXPECT_DOUBLE_EQ(features[0].total_gain, 2.0);
}

TEST(GainImportance, IsZeroWithoutQuestions) {
    const auto features = gain_importance(regression({numeric("a")}, {{{leaf({3})}}}));
    EXPECT_EQ(features.at(0).importance, 0);
    EXPECT_EQ(features.at(0).total_gain, 0);
}

/// Gains of boosted trees are whole, and shares are of all trees together.
TEST(GainImportance, SumsTheGainsOfBoostedTrees) {
    auto ensemble = regression({numeric("a"), numeric("b")}, {two_questions(0, 1), two_questions(1, 1)});
    ensemble.combination = model::Combination::sum;
    ensemble.initial_scores = {0};
    const auto features = gain_importance(ensemble);
    EXPECT_DOUBLE_EQ(features[0].total_gain, 0.2);
    EXPECT_DOUBLE_EQ(features[1].total_gain, 0.7);
    EXPECT_DOUBLE_EQ(features[0].importance, 0.2 / 0.9);
    EXPECT_DOUBLE_EQ(features[1].importance, 0.7 / 0.9);
}

}  // namespace
}  // namespace regrove::infer
