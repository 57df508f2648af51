// The exact sum: rounded once, whatever the order, over the whole range of double.
#include "regrove/core/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/core/int128.hpp"

namespace regrove {
namespace {

constexpr double k_least = std::numeric_limits<double>::denorm_min();
constexpr double k_largest = std::numeric_limits<double>::max();
constexpr double k_infinity = std::numeric_limits<double>::infinity();

static_assert(std::is_trivially_copyable_v<ExactSum>);

double sum_of(const std::vector<double>& values) {
    ExactSum sum;
    for (const double value : values) sum.add(value);
    return sum.value();
}

TEST(ExactSum, SimpleSums) {
    EXPECT_EQ(ExactSum{}.value(), 0);
    EXPECT_EQ(sum_of({1, 2, 3.5}), 6.5);
    EXPECT_EQ(sum_of({-1, -2, 3.5}), 0.5);
    EXPECT_EQ(sum_of({-7}), -7);
    EXPECT_EQ(sum_of({0.1, -0.1}), 0);
    EXPECT_FALSE(std::signbit(sum_of({-0.0})));
    EXPECT_EQ(sum_of(std::vector<double>(10, 0.1)), 1.0) << "the exact sum of ten 0.1 rounds to 1";
}

TEST(ExactSum, CancelsExactly) {
    EXPECT_EQ(sum_of({1e308, 1, -1e308}), 1);
    EXPECT_EQ(sum_of({1e300, k_least, -1e300}), k_least);
    EXPECT_EQ(sum_of({1, 1e100, 1, -1e100}), 2);
    EXPECT_EQ(sum_of({k_largest, k_largest, -k_largest, -k_largest, -3}), -3);
}

TEST(ExactSum, KeepsEveryDouble) {
    for (const double value : {k_least, 3 * k_least, std::numeric_limits<double>::min(), 0x1.fffffffffffffp-1022, 1.0,
                               0x1.fffffffffffffp+31, 0x1.0p+1023, k_largest}) {
        EXPECT_EQ(sum_of({value}), value) << value;
        EXPECT_EQ(sum_of({-value}), -value) << value;
    }
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        const double value = std::ldexp(1.0, exponent);
        ASSERT_EQ(sum_of({value}), value) << exponent;
        ASSERT_EQ(sum_of({value, value, -value}), value) << exponent;
    }
}

TEST(ExactSum, RoundsToNearestTiesToEven) {
    const double half_unit = 0x1.0p-53;
    EXPECT_EQ(sum_of({1, half_unit}), 1);
    EXPECT_EQ(sum_of({1, half_unit, k_least}), 1 + 0x1.0p-52) << "a far lower bit breaks the tie";
    EXPECT_EQ(sum_of({1, half_unit, -k_least}), 1);
    EXPECT_EQ(sum_of({1 + 0x1.0p-52, half_unit}), 1 + 0x1.0p-51);
    EXPECT_EQ(sum_of({-1, -half_unit, -k_least}), -1 - 0x1.0p-52);
    EXPECT_EQ(sum_of({0x1.fffffffffffffp0, half_unit}), 2) << "rounding up crosses a power of two";
    EXPECT_EQ(sum_of({0x1.0p-1022, -k_least}), 0x1.0p-1022 - k_least);
}

TEST(ExactSum, BeyondTheRange) {
    EXPECT_EQ(sum_of({k_largest, k_largest}), k_infinity);
    EXPECT_EQ(sum_of({-k_largest, -k_largest}), -k_infinity);
    EXPECT_EQ(sum_of({k_largest, 0x1.0p+969}), k_largest);
    EXPECT_EQ(sum_of({k_largest, 0x1.0p+970}), k_infinity) << "half a unit above the largest ties up";
    EXPECT_EQ(sum_of({1, k_infinity}), k_infinity);
    EXPECT_EQ(sum_of({-k_infinity, 1}), -k_infinity);
    EXPECT_TRUE(std::isnan(sum_of({k_infinity, -k_infinity})));
    EXPECT_TRUE(std::isnan(sum_of({1, std::nan("")})));
}

TEST(ExactSum, AgreesWithIntegersOnRandomValues) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        ExactSum sum;
        Int128 expected = 0;  // in units of 2^-110
        for (int i = 0; i < 200; ++i) {
            const auto mantissa = static_cast<std::int64_t>(random() >> 12U) - (std::int64_t{1} << 51U);
            const auto shift = static_cast<int>(random() % 60);
            sum.add(std::ldexp(static_cast<double>(mantissa), shift - 110));
            expected += static_cast<Int128>(mantissa) * (Int128{1} << shift);
        }
        ASSERT_EQ(sum.value(), std::ldexp(static_cast<double>(expected), -110)) << round;
    }
}

/// Doubles of all exponents, subnormal ones among them.
std::vector<double> wild_values(std::size_t count) {
    std::mt19937_64 random(2);
    std::vector<double> values;
    while (values.size() < count) {
        const auto value = std::bit_cast<double>(random());
        if (std::isfinite(value)) values.push_back(value);
    }
    return values;
}

TEST(ExactSum, OrderAndSplitsDoNotMatter) {
    std::vector<double> values = wild_values(500);
    ExactSum whole;
    for (const double value : values) whole.add(value);
    std::mt19937_64 random(3);
    for (int round = 0; round < 50; ++round) {
        std::ranges::shuffle(values, random);
        std::vector<ExactSum> parts(1 + random() % 7);
        for (const double value : values) parts[random() % parts.size()].add(value);
        ExactSum merged;
        std::array<std::int64_t, ExactSum::k_words> words{};
        for (const ExactSum& part : parts) {
            merged.merge(part);
            const auto own = part.words();
            for (std::size_t i = 0; i < words.size(); ++i) words[i] += own[i];
        }
        ASSERT_TRUE(merged == whole);
        ASSERT_TRUE(ExactSum::from_words(words) == whole);
        ASSERT_EQ(std::bit_cast<std::uint64_t>(merged.value()), std::bit_cast<std::uint64_t>(whole.value()));
    }
    for (const double value : values) whole.add(-value);
    EXPECT_TRUE(whole == ExactSum{});
}

TEST(ExactSum, Products) {
    const auto product = [](double a, double b) {
        ExactSum sum;
        sum.add_product(a, b);
        return sum.value();
    };
    for (const double a : wild_values(300)) {
        for (const double b : {1.0, -1.0, 0.1, 3.0, a, 1e-5, 0.0}) {
            if (std::fabs(a * b) >= 1e-280 || a * b == 0) {
                ASSERT_EQ(product(a, b), std::fabs(a * b) > k_largest ? a * b : a * b + 0.0) << a << ' ' << b;
            }
        }
    }
    ExactSum residue;
    residue.add_product(0.1, 0.1);
    residue.add(-(0.1 * 0.1));
    EXPECT_EQ(residue.value(), std::fma(0.1, 0.1, -(0.1 * 0.1)));
    EXPECT_NE(residue.value(), 0);
    EXPECT_EQ(product(k_largest, k_largest), k_infinity);
    EXPECT_EQ(product(-k_largest, k_largest), -k_infinity);
    EXPECT_EQ(product(0x1.0p-1074, 0x1.0p-1074), 0);
    EXPECT_EQ(product(0x1.0p-1074, 0.5), 0) << "cut, not rounded";
    EXPECT_EQ(product(0x1.0p-537, 0x1.0p-537), k_least);
    EXPECT_TRUE(std::isnan(product(0, k_infinity)));
    ExactSum large;
    large.add_product(0x1.0p+520, 0x1.0p+520);
    large.add_product(-0x1.0p+520, 0x1.0p+520);
    large.add(1);
    EXPECT_EQ(large.value(), 1) << "partial sums may pass the range of double";
}

TEST(ExactSum, ManyAdditionsAndMerges) {
    ExactSum sum;
    for (int i = 0; i < 3'000'000; ++i) sum.add(0x1.fffffffffffffp40);
    EXPECT_EQ(sum.value(), 3'000'000 * 0x1.fffffffffffffp40);
    for (int i = 0; i < 40; ++i) {
        const ExactSum copy = sum;
        sum.merge(copy);
    }
    EXPECT_EQ(sum.value(), std::ldexp(3'000'000 * 0x1.fffffffffffffp40, 40));
}

}  // namespace
}  // namespace regrove
