// The class that the reached leaves make: one tree's weights, shares, votes, weights of trees, ties, rounding.
#include "regrove/model/class_rule.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/model/hand_made.hpp"

namespace regrove::model {
namespace {

using testing::ElementsAre;

/// One-leaf trees, each with the class weights given: the leaf of every tree is node 0.
Ensemble constants(std::vector<std::vector<double>> values, Combination combination = Combination::mean) {
    Ensemble ensemble;
    for (std::size_t k = 0; k < values[0].size(); ++k) ensemble.classes.push_back(std::to_string(k));
    for (auto& value : values) ensemble.trees.push_back({{leaf(std::move(value))}});
    ensemble.combination = combination;
    return ensemble;
}

std::uint32_t decided(const Ensemble& ensemble) {
    return ClassRule(ensemble).decide(std::vector<NodeId>(ensemble.trees.size(), NodeId{0}));
}

TEST(ClassRule, OneTreeSpeaksByItsWeights) {
    const Ensemble one = constants({{1, 3, 3}});
    const ClassRule rule(one);
    EXPECT_EQ(rule.classes(), 3U);
    EXPECT_EQ(rule.trees(), 1U);
    EXPECT_EQ(rule.divisor(), 1);
    EXPECT_THAT(rule.scores(0, NodeId{0}), ElementsAre(1, 3, 3));
    EXPECT_EQ(decided(one), 1U);
}

TEST(ClassRule, OneTreesWeightsAreNotRoundedTogether) {
    const double less = 1.9;
    const double more = std::nextafter(less, 2.0);
    ASSERT_EQ(less / (less + more + 3), more / (less + more + 3));
    EXPECT_EQ(decided(constants({{less, more, 1.5, 1.5}})), 1U);
}

TEST(ClassRule, SharesAreSummed) {
    const Ensemble three = constants({{8, 0}, {1, 3}, {0, 0}});
    const ClassRule rule(three);
    EXPECT_EQ(rule.divisor(), 3);
    EXPECT_THAT(rule.scores(1, NodeId{0}), ElementsAre(0.25, 0.75));
    EXPECT_THAT(rule.scores(2, NodeId{0}), ElementsAre(0.5, 0.5));
    EXPECT_EQ(decided(three), 0U);
}

TEST(ClassRule, VotesGoToTheHeaviestClassAndTiesToTheSmaller) {
    const Ensemble four = constants({{9, 1, 0}, {0, 1, 1}, {0, 2, 7}, {1, 1, 0}}, Combination::majority);
    EXPECT_THAT(ClassRule(four).scores(1, NodeId{0}), ElementsAre(0, 1, 0));
    EXPECT_THAT(ClassRule(four).scores(3, NodeId{0}), ElementsAre(1, 0, 0));
    EXPECT_EQ(decided(four), 0U);
    EXPECT_EQ(decided(constants({{0, 1, 0}, {0, 0, 1}}, Combination::majority)), 1U);
}

TEST(ClassRule, TreesCountByTheirWeights) {
    Ensemble three = constants({{1, 0}, {1, 0}, {0, 1}}, Combination::majority);
    three.tree_weights = {1, 1, 2};
    EXPECT_EQ(ClassRule(three).divisor(), 4);
    EXPECT_THAT(ClassRule(three).scores(2, NodeId{0}), ElementsAre(0, 2));
    EXPECT_EQ(decided(three), 0U);
    three.tree_weights = {1, 1, 2.5};
    EXPECT_EQ(decided(three), 1U);
    three.combination = Combination::mean;
    EXPECT_EQ(decided(three), 1U);
}

/// A tree alone answers as it is, so its weight must not round its class weights.
TEST(ClassRule, TheWeightOfATreeAloneIsOfNoAccount) {
    Ensemble one = constants({{1, 3}});
    one.tree_weights = {0.1};
    EXPECT_THAT(ClassRule(one).scores(0, NodeId{0}), ElementsAre(1, 3));
    EXPECT_EQ(ClassRule(one).divisor(), 1);
}

/// 0.1 + 0.2 is above 0.3 in double, and the division by three keeps them apart; the sum in tree order decides.
TEST(ClassRule, RoundingOfTheSumDecides) {
    const Ensemble ensemble = constants({{3, 1, 6}, {0, 2, 8}, {0, 0, 1}});
    ASSERT_GT((0.1 + 0.2) / 3, 0.3 / 3);
    const ClassRule rule(ensemble);
    EXPECT_EQ(rule.class_of_sums(std::vector<double>{0.3, 0.1 + 0.2, 0}), 1U);
    EXPECT_EQ(rule.class_of_sums(std::vector<double>{0.1 + 0.2, 0.3, 0}), 0U);
}

/// Two sums that differ by one unit in the last place become equal by division, and the smaller class wins.
TEST(ClassRule, TheDivisionCanRoundTwoSumsTogether) {
    const ClassRule rule(constants({{1, 1}, {1, 1}, {1, 1}}));
    double less = 1.5;
    while (less / 3 != std::nextafter(less, 4.0) / 3) less = std::nextafter(less, 4.0);
    ASSERT_LT(less, 4);
    EXPECT_EQ(rule.class_of_sums(std::vector<double>{less, std::nextafter(less, 4.0)}), 0U);
    EXPECT_EQ(rule.class_of_sums(std::vector<double>{less, 2 * less}), 1U);
}

TEST(ClassRule, ManyClasses) {
    std::vector<double> weights(40, 1);
    weights[33] = 2;
    EXPECT_EQ(decided(constants({weights})), 33U);
    EXPECT_EQ(decided(constants({weights, weights})), 33U);
}

/// One-leaf trees of a boosted model of as many classes as initial scores (two for one).
Ensemble sums(std::vector<double> initial, std::vector<std::vector<double>> values,
              std::vector<std::uint32_t> outputs = {}) {
    Ensemble ensemble = constants(std::move(values));
    ensemble.classes = {"a", "b"};
    for (std::size_t k = 2; k < initial.size(); ++k) ensemble.classes.push_back(std::to_string(k));
    ensemble.combination = Combination::sum;
    ensemble.link = initial.size() == 1 ? Link::logistic : Link::softmax;
    ensemble.initial_scores = std::move(initial);
    ensemble.tree_outputs = std::move(outputs);
    return ensemble;
}

TEST(ClassRule, OneScoreIsTheMarginOfTheSecondClass) {
    const Ensemble two = sums({-1}, {{0.25}, {0.75}});
    const ClassRule rule(two);
    EXPECT_EQ(rule.classes(), 2U);
    EXPECT_EQ(rule.divisor(), 1);
    EXPECT_THAT(rule.scores(0, NodeId{0}), ElementsAre(0, -0.75));
    EXPECT_THAT(rule.scores(1, NodeId{0}), ElementsAre(0, 0.75));
    EXPECT_EQ(decided(two), 0U) << "zero is not above zero";
    EXPECT_EQ(decided(sums({-1}, {{0.25}, {std::nextafter(0.75, 1.0)}})), 1U);
    EXPECT_EQ(decided(sums({0.5}, {{-0.75}})), 0U) << "one tree, a leaf below zero";
    EXPECT_EQ(decided(sums({0.5}, {{-0.25}})), 1U);
}

TEST(ClassRule, ScoresOfSeveralClasses) {
    const Ensemble three = sums({1, 0, 0.5}, {{-1}, {2}, {1.5}, {-0.5}}, {0, 1, 2, 0});
    EXPECT_THAT(ClassRule(three).scores(0, NodeId{0}), ElementsAre(0, 0, 0.5));
    EXPECT_THAT(ClassRule(three).scores(1, NodeId{0}), ElementsAre(0, 2, 0));
    EXPECT_EQ(decided(three), 1U) << "2 and 2: the smaller class";
    EXPECT_EQ(decided(sums({-3, -2, -2}, {{-1, -1, -1}, {0, -0.5, 0.25}})), 2U) << "leaves that carry all scores";
}

/// (0.1 + 0.2) + 0.3 and 0.1 + (0.2 + 0.3) differ: the initial score comes first.
TEST(ClassRule, SumsBeginWithTheInitialScore) {
    ASSERT_GT((0.1 + 0.2) + 0.3, 0.6);
    EXPECT_EQ(decided(sums({0.1, 0.6}, {{0.2}, {0.3}}, {0, 0})), 0U);
    EXPECT_EQ(decided(sums({0.3, 0.6}, {{0.2}, {0.1}}, {0, 0})), 0U) << "0.6 and 0.6";
    EXPECT_EQ(decided(sums({0.6, 0.1}, {{0.2}, {0.3}}, {1, 1})), 1U);
    EXPECT_EQ(decided(sums({0.6, 0.3}, {{0.2}, {0.1}}, {1, 1})), 0U);
}

}  // namespace
}  // namespace regrove::model
