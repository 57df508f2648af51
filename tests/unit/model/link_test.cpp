// Links against the standard library, at the ends of the range, and their symmetry.
#include "regrove/model/link.hpp"

#include <cmath>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::model {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

TEST(Link, LogisticIsTheStandardFormula) {
    EXPECT_EQ(logistic(0), 0.5);
    for (double score = -30; score <= 30; score += 0.37) {
        EXPECT_NEAR(logistic(score), 1 / (1 + std::exp(-score)), 1e-15);
        EXPECT_NEAR(logistic(score) + logistic(-score), 1, 4e-16);
    }
    EXPECT_EQ(logistic(800), 1);
    EXPECT_EQ(logistic(-800), 0);
    EXPECT_GT(logistic(-700), 0);
}

TEST(Link, SoftmaxSumsToOneWithoutOverflow) {
    std::vector<double> p(3);
    softmax(std::vector<double>{1, 2, 4}, p);
    const double total = std::exp(1) + std::exp(2) + std::exp(4);
    EXPECT_THAT(
        p, ElementsAre(DoubleEq(std::exp(1) / total), DoubleEq(std::exp(2) / total), DoubleEq(std::exp(4) / total)));
    softmax(std::vector<double>{1e300, -1e300, 1e300}, p);
    EXPECT_THAT(p, ElementsAre(0.5, 0, 0.5));
}

TEST(Link, ValuesOfScores) {
    EXPECT_EQ(linked_value(Link::identity, -2.5), -2.5);
    EXPECT_DOUBLE_EQ(linked_value(Link::exponential, 2), std::exp(2));
    EXPECT_EQ(linked_value(Link::logistic, 0), 0.5);
    EXPECT_THROW(linked_value(Link::softmax, 0), InternalError);
}

TEST(Link, ProbabilitiesOfRows) {
    EXPECT_THAT(linked_probabilities(Link::logistic, {0, 800}, 2), ElementsAre(0.5, 0.5, 0, 1));
    EXPECT_THAT(linked_probabilities(Link::softmax, {0, 0, 5, 5}, 2), ElementsAre(0.5, 0.5, 0.5, 0.5));
    EXPECT_THROW(linked_probabilities(Link::identity, {0}, 2), InternalError);
}

}  // namespace
}  // namespace regrove::model
