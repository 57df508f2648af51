// Wide integers against 128-bit ones, and fractions rounded once against known doubles.
#include "regrove/algebra/wide_integer.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::algebra {
namespace {

/// A number of up to 100 bits, of either sign, small ones among them.
Int128 drawn(const CounterRandom& random, std::uint64_t at) {
    const auto high = static_cast<Int128>(random.below(3 * at, std::uint64_t{1} << 36U));
    const auto low = static_cast<Int128>(random.below(3 * at + 1, std::uint64_t{1} << 63U));
    const Int128 number = random.below(3 * at + 2, 3) == 0 ? low % 5 : high * (Int128{1} << 63U) + low;
    return at % 2 == 0 ? number : -number;
}

TEST(WideInteger, AddsAsNarrowOnesDo) {
    const CounterRandom random(1, 90);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Int128 a = drawn(random, 7 * i);
        const Int128 b = drawn(random, 11 * i + 1);
        WideInteger sum(a);
        sum.add(WideInteger(b));
        ASSERT_EQ(sum, WideInteger(a + b));
        sum.add(WideInteger(-a));
        ASSERT_EQ(sum, WideInteger(b));
        sum.add(WideInteger(-b));
        ASSERT_TRUE(sum.is_zero());
        ASSERT_FALSE(sum.is_negative());
    }
}

TEST(WideInteger, DividesWhatItMultiplied) {
    const CounterRandom random(2, 90);
    for (std::uint64_t i = 0; i < 500; ++i) {
        const WideInteger number(drawn(random, i));
        WideInteger product = number;
        for (std::uint64_t k = 1; k < 9; ++k) product.multiply(0xfedcba9876543210U + k * i);
        if (!number.is_zero()) {
            EXPECT_GT(product.bits(), 500U);
        }
        for (std::uint64_t k = 1; k < 9; ++k) ASSERT_EQ(product.divide(0xfedcba9876543210U + k * i), 0U);
        ASSERT_EQ(product, number);
    }
    WideInteger seventeen(-17);
    EXPECT_EQ(seventeen.divide(5), 2U);
    EXPECT_EQ(seventeen, WideInteger(-3));
}

TEST(WideInteger, ShiftsAndShowsBits) {
    WideInteger number(5);
    number.shift_left(190);
    EXPECT_EQ(number.bits(), 193U);
    EXPECT_TRUE(number.bit(190));
    EXPECT_FALSE(number.bit(191));
    EXPECT_TRUE(number.bit(192));
    EXPECT_FALSE(number.bit(1000));
    EXPECT_FALSE(number.any_bit_below(190));
    EXPECT_TRUE(number.any_bit_below(191));
    EXPECT_EQ(number.bits_from(189), 10U);
    EXPECT_EQ(number.bits_from(150), std::uint64_t{5} << 40U);
}

double fraction(Int128 number, int exponent, std::uint64_t divisor) {
    const std::array<std::uint64_t, 1> divisors{divisor};
    return to_double(WideInteger(number), exponent, divisors);
}

TEST(WideInteger, FractionsAreRoundedOnce) {
    EXPECT_EQ(fraction(1, 0, 3), 1.0 / 3);
    EXPECT_EQ(fraction(-7, 3, 10), -5.6);
    EXPECT_EQ(fraction(0, 5, 10), 0);
    EXPECT_EQ(fraction(6, 0, 2), 3);
    const CounterRandom random(3, 90);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        // Division of doubles is rounded once.
        const auto a = static_cast<double>(random.below(2 * i, std::uint64_t{1} << 53U));
        const auto b = static_cast<double>(1 + random.below(2 * i + 1, std::uint64_t{1} << 53U));
        ASSERT_EQ(fraction(static_cast<Int128>(a), 0, static_cast<std::uint64_t>(b)), a / b);
    }
    // Between 1 and the next double: half goes to the even one, the least bit more goes up.
    const Int128 half = (Int128{1} << 53U) + 1;
    EXPECT_EQ(fraction(half, -53, 1), 1);
    EXPECT_EQ(fraction(half * 3 + 1, -53, 3), std::nextafter(1.0, 2));
    EXPECT_EQ(fraction(half * 3 - 1, -53, 3), 1);
}

TEST(WideInteger, DivisorsMayBeMany) {
    const std::array<std::uint64_t, 4> divisors{3, 7, std::uint64_t{1} << 40U, 11};
    WideInteger number(231 * 5);
    number.shift_left(40);
    EXPECT_EQ(to_double(number, 0, divisors), 5);
    EXPECT_EQ(to_double(WideInteger(1), 40, divisors), 1.0 / 231);
}

TEST(WideInteger, SubnormalsAreRoundedOnceToo) {
    EXPECT_EQ(fraction(3, -1074, 1), std::ldexp(3, -1074));
    EXPECT_EQ(fraction(3, -1075, 1), std::ldexp(2, -1074));  // one and a half: to the even neighbour
    EXPECT_EQ(fraction(1, -1075, 1), 0);
    EXPECT_EQ(fraction(5, -1076, 1), std::ldexp(1, -1074));
    EXPECT_EQ(fraction(1, -1200, 1), 0);
}

}  // namespace
}  // namespace regrove::algebra
