// Portable functions within a few units in the last place of the C library's long double ones, and pinned bits.
#include "regrove/core/portable_math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

/// Distance of `value` from `exact` in units in the last place of a double of that size.
double ulps(double value, long double exact) {
    const double size = std::max(std::abs(static_cast<double>(exact)), std::numeric_limits<double>::min());
    const double unit = std::nextafter(size, k_infinity) - size;
    return static_cast<double>(std::abs(value - exact) / unit);
}

/// Positive doubles of every exponent, denormal ones too.
double positive(std::uint64_t index) {
    const std::uint64_t bits = CounterRandom(1, 1).bits(index) >> 1U;
    const double x = std::bit_cast<double>(bits);
    return std::isfinite(x) && x > 0 ? x : 1.5;
}

double between(std::uint64_t index, double low, double high) {
    return low + (high - low) * CounterRandom(2, 2).uniform(index);
}

constexpr int k_draws = 200000;

TEST(PortableLog, IsWithinTwoUlps) {
    double worst = 0;
    for (int i = 0; i < k_draws; ++i) {
        const double x = i % 2 == 0 ? positive(i) : between(i, 0.5, 2.0);
        worst = std::max(worst, ulps(portable::log(x), std::log(static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 2.0);
}

TEST(PortableLog2, IsWithinTwoUlpsAndExactForPowersOfTwo) {
    double worst = 0;
    for (int i = 0; i < k_draws; ++i) {
        const double x = i % 2 == 0 ? positive(i) : between(i, 0.5, 2.0);
        worst = std::max(worst, ulps(portable::log2(x), std::log2(static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 2.0);
    for (int e = -1074; e <= 1023; ++e) EXPECT_EQ(portable::log2(std::ldexp(1.0, e)), e);
}

TEST(PortableExp, IsWithinTwoUlps) {
    double worst = 0;
    for (int i = 0; i < k_draws; ++i) {
        const double x = i % 2 == 0 ? between(i, -745.0, 709.7) : between(i, -1.0, 1.0);
        worst = std::max(worst, ulps(portable::exp(x), std::exp(static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 2.0);
}

TEST(PortableSin, IsWithinTwoUlps) {
    double worst = 0;
    for (int i = 0; i < k_draws; ++i) {
        double x = between(i, -1e5, 1e5);
        if (i % 3 == 1) x = between(i, -4.0, 4.0);
        if (i % 3 == 2) x = std::round(x / M_PI) * M_PI;  // near the zeros, where reduction matters most
        worst = std::max(worst, ulps(portable::sin(x), std::sin(static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 2.0);
}

TEST(PortableNormalQuantile, InvertsTheDistribution) {
    double worst = 0;
    for (int i = 0; i < k_draws; ++i) {
        double p = CounterRandom(3, 3).uniform(i) + 0x1.0p-54;
        if (i % 2 == 0) p = portable::exp(between(i, -700.0, -0.7));
        const long double x = portable::normal_quantile(p);
        const long double back = std::erfc(-x / std::sqrt(2.0L)) / 2;
        const long double density = std::exp(-x * x / 2) / std::sqrt(2 * M_PIl);
        // One step of Newton gives the quantile's own relative error.
        if (std::abs(x) > 1e-3L) worst = std::max(worst, static_cast<double>(std::abs((back - p) / density / x)));
    }
    EXPECT_LT(worst, 1e-15);
    EXPECT_EQ(portable::normal_quantile(0.5), 0.0);
    EXPECT_NEAR(portable::normal_quantile(0.975), 1.959963984540054, 1e-15);
    EXPECT_NEAR(portable::normal_quantile(1e-300), -37.0471, 1e-4);
    EXPECT_EQ(portable::normal_quantile(0.0625), -portable::normal_quantile(0.9375));
}

TEST(PortableMath, EndsOfTheRanges) {
    EXPECT_EQ(portable::log(1.0), 0.0);
    EXPECT_EQ(portable::log(0.0), -k_infinity);
    EXPECT_EQ(portable::log(k_infinity), k_infinity);
    EXPECT_TRUE(std::isnan(portable::log(-1.0)));
    EXPECT_TRUE(std::isnan(portable::log(k_nan)));
    EXPECT_EQ(portable::log2(0.0), -k_infinity);
    EXPECT_TRUE(std::isnan(portable::log2(-1.0)));
    EXPECT_EQ(portable::exp(0.0), 1.0);
    EXPECT_EQ(portable::exp(-0.0), 1.0);
    EXPECT_EQ(portable::exp(710.0), k_infinity);
    EXPECT_EQ(portable::exp(k_infinity), k_infinity);
    EXPECT_EQ(portable::exp(-746.0), 0.0);
    EXPECT_EQ(portable::exp(-k_infinity), 0.0);
    EXPECT_TRUE(std::isnan(portable::exp(k_nan)));
    EXPECT_TRUE(std::isfinite(portable::exp(709.78)));
    EXPECT_EQ(portable::exp(-745.0), 0x1.0p-1074);
    EXPECT_EQ(portable::sin(0.0), 0.0);
    EXPECT_TRUE(std::signbit(portable::sin(-0.0)));
    EXPECT_TRUE(std::isnan(portable::sin(1e5)));
    EXPECT_TRUE(std::isnan(portable::sin(k_nan)));
    EXPECT_EQ(portable::normal_quantile(0.0), -k_infinity);
    EXPECT_EQ(portable::normal_quantile(1.0), k_infinity);
    EXPECT_TRUE(std::isnan(portable::normal_quantile(1.5)));
}

// Any compiler and processor must meet these bits: they stand for thousands of values each.
TEST(PortableMath, BitsArePinned) {
    std::uint64_t sum = 0;
    for (int i = 0; i < 20000; ++i) {
        for (const double value :
             {portable::log(positive(i)), portable::log2(positive(i)), portable::exp(between(i, -700, 700)),
              portable::sin(between(i, -1e4, 1e4)), portable::normal_quantile(between(i, 1e-9, 1 - 1e-9))})
            sum = sum * 0x9E3779B97F4A7C15ULL + std::bit_cast<std::uint64_t>(value);
    }
    EXPECT_EQ(sum, 8107929850791258945U);
}

TEST(PortableMath, ManyExponentialsHaveTheBitsOfOne) {
    std::vector<double> values = {0.0,
                                  -0.0,
                                  709.8,
                                  709.9,
                                  -745.1,
                                  -745.2,
                                  -745.3,
                                  1e300,
                                  -1e300,
                                  std::nan(""),
                                  std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity(),
                                  1.0};
    for (int i = 0; i < 20001; ++i) values.push_back(between(i, -750.0, 715.0));
    std::vector<double> all = values;
    portable::exp_all(all);
    for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(all[i]), std::bit_cast<std::uint64_t>(portable::exp(values[i])))
            << values[i];
    }
}

}  // namespace
}  // namespace regrove
