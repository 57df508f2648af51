#include "regrove/train/target.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::train {
namespace {

TEST(WeightUnit, KeepsIntegersAndSpreadsFractions) {
    EXPECT_EQ(choose_weight_unit({1000, 10, true}, true), 1.0);
    const double unit = choose_weight_unit({1000, 10, false}, true);
    EXPECT_EQ(std::log2(unit), std::floor(std::log2(unit)));
    EXPECT_LE(1000 / unit, 0x1p52);
    EXPECT_GT(1000 / unit, 0x1p50);
    EXPECT_GT(1000 / choose_weight_unit({1000, 10, false}, false), 0x1p59);
}

TEST(ValueUnit, IsAPowerOfTwoThatKeepsSumsBelow94Bits) {
    for (const std::int64_t weight : {std::int64_t{1}, std::int64_t{1} << 20, std::int64_t{1} << 52}) {
        const double unit = choose_value_unit(123.4, weight);
        EXPECT_LE(std::log2(123.4 / unit) + std::log2(static_cast<double>(weight)), 92.0);
    }
    EXPECT_EQ(choose_value_unit(0, 5), 1.0);
    // Integers and halves are exact.
    EXPECT_EQ(static_cast<double>(quantise(37.5, choose_value_unit(100, 14))) * choose_value_unit(100, 14), 37.5);
}

TEST(SquareSum, EqualsTheProductInOneNumber) {
    const CounterRandom random(2, 2);
    SquareSum sum;
    Int128 expected = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const auto target = static_cast<std::int64_t>(random.below(2 * i, 1U << 31U)) - (1 << 30);
        const auto weight = static_cast<std::int64_t>(random.below(2 * i + 1, 100));
        sum.add(target, weight);
        expected += static_cast<Int128>(target) * target * weight;
    }
    EXPECT_TRUE((sum.high << SquareSum::k_low_bits) + sum.low == expected);
}

TEST(Statistics, TargetSumsSurviveTheirTwoLimbs) {
    const StatisticsLayout layout{0};
    std::vector<std::int64_t> statistics(layout.size(), 0);
    Int128 expected = 0;
    for (std::int64_t i = -500; i < 500; ++i) {
        const std::int64_t target = i * ((std::int64_t{1} << 50) / 500);
        add_row(layout, statistics.data(), target, 3 + (i & 7));
        expected += static_cast<Int128>(target) * (3 + (i & 7));
    }
    EXPECT_TRUE(target_sum(statistics) == expected);
    EXPECT_EQ(rows(layout, statistics), 1000U);
}

TEST(NodeFigures, GiveImpuritiesOfTheirDefinitions) {
    const EntropyTerms entropy(10, 1.0);
    const std::vector<std::int64_t> counts{2, 3, 5, 10};
    const NodeFigures gini({3}, Criterion::gini, {}, entropy);
    EXPECT_DOUBLE_EQ(gini.impurity(counts, {}), 1 - 0.04 - 0.09 - 0.25);
    const NodeFigures bits({3}, Criterion::entropy, {}, entropy);
    const double expected = -(0.2 * std::log2(0.2) + 0.3 * std::log2(0.3) + 0.5 * std::log2(0.5));
    EXPECT_NEAR(bits.impurity(counts, {}), expected, 1e-12);
}

TEST(NodeFigures, EqualTargetsHaveNoImpurityAtAll) {
    const EntropyTerms entropy(10, 1.0);
    const StatisticsLayout layout{0};
    std::vector<std::int64_t> statistics(layout.size(), 0);
    SquareSum squares;
    for (int i = 0; i < 7; ++i) {
        add_row(layout, statistics.data(), 1234567890123, 3);
        squares.add(1234567890123, 3);
    }
    EXPECT_EQ(NodeFigures(layout, Criterion::squared_error, {}, entropy).impurity(statistics, squares), 0.0);
}

}  // namespace
}  // namespace regrove::train
