// Coefficients fitted anew: by hand where columns do not overlap, by the conditions of a minimum where they do.
#include "regrove/algebra/reweighting.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::algebra {
namespace {

constexpr double k_hold = 1e-4;

TEST(Reweighting, IsTheMeanWhereColumnsDoNotOverlap) {
    MonomialPairs pairs(2);
    pairs.with(0)[0] = 5;
    pairs.with(1)[1] = 2;
    // Over the first one's 5 rows the dropped ones added 10, over the second one's 2 rows -1; 10 rows in all.
    const ScoreFit fit{{1.0, 0.5}, {10.0, -1.0}};
    const auto fitted = reweighted(pairs, fit, 10, 0, 2);
    EXPECT_NEAR(fitted[0], 1 + 1.0 / (0.5 + k_hold), 1e-12);
    EXPECT_NEAR(fitted[1], 0.5 - 0.1 / (0.2 + k_hold), 1e-12);
    // With the penalty 0.4: 0.5 * 3 - 0.4 * sqrt(0.5) for the first; the second, 0.2 * 0 - ..., goes.
    const auto sparse = reweighted(pairs, fit, 10, 0.4, 2);
    EXPECT_NEAR(sparse[0], (1.5 + k_hold - 0.4 * std::sqrt(0.5)) / (0.5 + k_hold), 1e-12);
    EXPECT_EQ(sparse[1], 0.0);
    // The free one pays nothing.
    EXPECT_NEAR(reweighted(pairs, fit, 10, 0.4, 0)[0], fitted[0], 1e-12);
}

TEST(Reweighting, OneThatIsAloneTakesOverItsSubset) {
    // Two nested columns over 4 rows: {0,1,2,3} and {0,1}; a dropped one held for {0,1} only, with 0.75.
    MonomialPairs pairs(2);
    pairs.with(0)[0] = 4;
    pairs.with(0)[1] = pairs.with(1)[0] = 2;
    pairs.with(1)[1] = 2;
    const auto fitted = reweighted(pairs, {{1.0, 2.0}, {1.5, 1.5}}, 4, 0, 2);
    EXPECT_NEAR(fitted[0], 1.0, 1e-3);
    EXPECT_NEAR(fitted[1], 2.75, 1e-3);
}

/// Rows x columns of zeros and ones, with what the minimum is judged by.
struct Problem {
    std::size_t rows = 400;
    std::size_t columns = 12;
    std::vector<std::uint8_t> holds;
    std::vector<double> score;
    MonomialPairs pairs{12};
    ScoreFit fit;
};

Problem random_problem(std::uint64_t seed) {
    Problem of;
    const CounterRandom random(seed, 90);
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < of.columns; ++i) of.fit.start.push_back(random.normal(next++));
    of.fit.residual.assign(of.columns, 0);
    for (std::size_t row = 0; row < of.rows; ++row) {
        for (std::size_t i = 0; i < of.columns; ++i)
            of.holds.push_back(i == 0 || random.below(next++, 2 + i % 5) == 0 ? 1 : 0);
        const double residual = random.normal(next++);
        const std::uint8_t* const own = of.holds.data() + row * of.columns;
        double score = residual;
        for (std::size_t i = 0; i < of.columns; ++i) {
            if (own[i] == 0) continue;
            score += of.fit.start[i];
            of.fit.residual[i] += residual;
            for (std::size_t j = 0; j < of.columns; ++j) of.pairs.with(i)[j] += own[j];
        }
        of.score.push_back(score);
    }
    return of;
}

TEST(Reweighting, MeetsTheConditionsOfAMinimum) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const Problem of = random_problem(seed);
        for (const double penalty : {0.0, 0.05, 0.5}) {
            const auto fitted = reweighted(of.pairs, of.fit, of.rows, penalty, 0);
            for (std::size_t i = 0; i < of.columns; ++i) {
                double slope = -k_hold * (fitted[i] - of.fit.start[i]);
                double share = 0;
                for (std::size_t row = 0; row < of.rows; ++row) {
                    const std::uint8_t* const own = of.holds.data() + row * of.columns;
                    if (own[i] == 0) continue;
                    double error = of.score[row];
                    for (std::size_t j = 0; j < of.columns; ++j)
                        if (own[j] != 0) error -= fitted[j];
                    slope += error / static_cast<double>(of.rows);
                    share += 1 / static_cast<double>(of.rows);
                }
                const double cost = i == 0 ? 0 : penalty * std::sqrt(share);
                if (fitted[i] == 0)
                    EXPECT_LE(std::abs(slope), cost + 1e-4);
                else
                    EXPECT_NEAR(slope, fitted[i] > 0 ? cost : -cost, 1e-4);
            }
        }
    }
}

TEST(Reweighting, APenaltyDropsMoreTheHigherItIs) {
    const Problem of = random_problem(7);
    std::ptrdiff_t before = -1;
    for (const double penalty : {0.0, 0.1, 0.3, 1.0, 30.0}) {
        const auto fitted = reweighted(of.pairs, of.fit, of.rows, penalty, 0);
        const auto zeros = std::count(fitted.begin(), fitted.end(), 0.0);
        EXPECT_GE(zeros, before);
        before = zeros;
    }
    EXPECT_EQ(before, 11) << "all but the free one";
}

}  // namespace
}  // namespace regrove::algebra
