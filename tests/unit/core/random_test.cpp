// The Philox block against Random123's published answers; draws in range, unbiased, and functions of their index
// alone.
#include "regrove/core/random.hpp"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace regrove {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Source: kat_vectors of Random123 1.14, lines "philox4x32 10".
TEST(Philox, MeetsThePublishedAnswers) {
    EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t ones = 0xffffffff;
    EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
              (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, UsesAllBitsOfSeedStreamAndIndex) {
    std::set<std::uint64_t> seen;
    for (const std::uint64_t bit : {0ULL, 1ULL, 1ULL << 31U, 1ULL << 32U, 1ULL << 63U}) {
        seen.insert(CounterRandom(bit, 0).bits(0));
        if (bit == 0) continue;
        seen.insert(CounterRandom(0, bit).bits(0));
        seen.insert(CounterRandom(0, 0).bits(bit));
    }
    EXPECT_EQ(seen.size(), 13U);
}

TEST(CounterRandom, BitsAreTheFirstTwoWordsOfTheBlock) {
    EXPECT_EQ(CounterRandom(0, 0).bits(0), 0xe169c58d6627e8d5ULL);
    EXPECT_EQ(CounterRandom(0x299f31d0a4093822ULL, 0x0370734413198a2eULL).bits(0x85a308d3243f6a88ULL),
              0x94fdccebd16cfe09ULL);
}

TEST(CounterRandom, UniformHasMeanAndVariance) {
    const CounterRandom random(7, 1);
    constexpr int k_draws = 100000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < k_draws; ++i) {
        const double u = random.uniform(i);
        ASSERT_GE(u, 0.0);
        ASSERT_LT(u, 1.0);
        sum += u;
        squares += u * u;
    }
    const double mean = sum / k_draws;
    EXPECT_NEAR(mean, 0.5, 0.005);
    EXPECT_NEAR(squares / k_draws - mean * mean, 1.0 / 12, 0.001);
}

TEST(CounterRandom, BelowCoversItsRangeEvenly) {
    const CounterRandom random(11, 3);
    std::vector<int> counts(7);
    for (int i = 0; i < 70000; ++i) ++counts.at(random.below(i, 7));
    for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(i, 1), 0U);
    EXPECT_GT(random.below(0, ~0ULL), 0U);
}

TEST(CounterRandom, NormalHasItsMoments) {
    const CounterRandom random(5, 2);
    constexpr int k_draws = 100000;
    double sum = 0;
    double squares = 0;
    double fourth = 0;
    for (int i = 0; i < k_draws; ++i) {
        const double z = random.normal(i);
        ASSERT_TRUE(std::isfinite(z));
        sum += z;
        squares += z * z;
        fourth += z * z * z * z;
    }
    EXPECT_NEAR(sum / k_draws, 0, 0.015);
    EXPECT_NEAR(squares / k_draws, 1, 0.02);
    EXPECT_NEAR(fourth / k_draws, 3, 0.15);
}

TEST(CounterRandom, StreamsDoNotCorrelate) {
    const CounterRandom a(5, 0);
    const CounterRandom b(5, 1);
    double product = 0;
    for (int i = 0; i < 50000; ++i) product += (a.uniform(i) - 0.5) * (b.uniform(i) - 0.5);
    EXPECT_NEAR(12 * product / 50000, 0, 0.02);
}

}  // namespace
}  // namespace regrove
