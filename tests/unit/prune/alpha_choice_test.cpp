// Errors' means and standard errors, and the two rules.
#include "regrove/prune/alpha_choice.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace regrove::prune {
namespace {

TEST(AlphaChoice, AnErrorRateHasTheBinomialStandardError) {
    ErrorSums first;
    ErrorSums second;
    for (int i = 0; i < 40; ++i) (i % 3 == 0 ? first : second).add(1, i < 10 ? 1 : 0);
    first.merge(second);
    const CandidateError error = finish(first);
    EXPECT_DOUBLE_EQ(error.mean, 0.25);
    EXPECT_NEAR(error.standard_error, std::sqrt(0.25 * 0.75 / 40), 1e-15);
}

TEST(AlphaChoice, WeightsCountAsInTheirDefinition) {
    const std::vector<double> weights{1, 2.5, 0.5, 4};
    const std::vector<double> errors{3, 0.25, 7, 1};
    ErrorSums sums;
    for (std::size_t i = 0; i < 4; ++i) sums.add(weights[i], errors[i]);
    const double mean = (3 + 0.625 + 3.5 + 4) / 8;
    double squares = 0;
    for (std::size_t i = 0; i < 4; ++i) squares += std::pow(weights[i] * (errors[i] - mean), 2);
    EXPECT_NEAR(finish(sums).mean, mean, 1e-14);
    EXPECT_NEAR(finish(sums).standard_error, std::sqrt(squares) / 8, 1e-14);
    EXPECT_TRUE(std::isnan(finish(ErrorSums{}).mean));
}

TEST(AlphaChoice, OneStandardErrorTakesTheSimplestWithinReach) {
    const std::vector<CandidateError> candidates{{0.30, 0.03}, {0.20, 0.02}, {0.215, 0.01}, {0.22, 0.5}, {0.2201, 0}};
    EXPECT_EQ(choose_candidate(candidates, ChoiceRule::minimum), 1U);
    EXPECT_EQ(choose_candidate(candidates, ChoiceRule::one_standard_error), 3U);
}

TEST(AlphaChoice, OfEqualErrorsTheSimplestWins) {
    const std::vector<CandidateError> candidates{{0.2, 0}, {0.1, 0}, {0.1, 0}, {0.3, 0}};
    EXPECT_EQ(choose_candidate(candidates, ChoiceRule::minimum), 2U);
    EXPECT_EQ(choose_candidate(candidates, ChoiceRule::one_standard_error), 2U);
    EXPECT_EQ(choose_candidate(std::vector<CandidateError>{{0.5, 0.1}}, ChoiceRule::one_standard_error), 0U);
}

}  // namespace
}  // namespace regrove::prune
