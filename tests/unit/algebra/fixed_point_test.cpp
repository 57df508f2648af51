// Doubles to integers of a unit and back, at the edges of rounding and of range.
#include "regrove/algebra/fixed_point.hpp"

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::algebra {
namespace {

TEST(FixedPoint, TakesMultiplesExactly) {
    EXPECT_EQ(to_fixed(0.75, -2), 3);
    EXPECT_EQ(to_fixed(-5, 0), -5);
    EXPECT_EQ(to_fixed(0, -7), 0);
    EXPECT_EQ(to_double(-3, -2), -0.75);
    EXPECT_EQ(to_double(to_fixed(0.1, -60), -60), 0.1);
}

TEST(FixedPoint, RoundsOthersToTheNearestEvenOnTies) {
    EXPECT_EQ(to_fixed(2.5, 0), 2);
    EXPECT_EQ(to_fixed(3.5, 0), 4);
    EXPECT_EQ(to_fixed(-3.5, 0), -4);
    EXPECT_EQ(to_fixed(0.3, 0), 0);
    EXPECT_EQ(to_fixed(1e-40, 0), 0);
}

TEST(FixedPoint, RoundsLongNumbersOnce) {
    const Int128 odd = (Int128{1} << 53) + 1;
    EXPECT_EQ(to_double(odd, 0), 0x1.0p53) << "a tie goes to the even mantissa";
    EXPECT_EQ(to_double(odd * 2 + 1, 0), 0x1.0p54 + 4);
    EXPECT_EQ(to_double(-(Int128{1} << 120), -120), -1.0);
}

TEST(FixedPoint, PartsAddUpExactly) {
    const Int128 number = (Int128{0x123456789abcdef} << 60) + 0x7654321;
    for (const Int128 sign : {1, -1}) {
        Int128 sum = 0;
        const auto parts = exact_parts(sign * number, -10);
        for (const double part : parts) sum += to_fixed(part, -10);
        EXPECT_TRUE(sum == sign * number);
        EXPECT_LE(parts.size(), 3U);
    }
    EXPECT_TRUE(exact_parts(0, 5).empty());
}

TEST(FixedPoint, BitRangeHoldsAllBits) {
    BitRange bits;
    EXPECT_TRUE(bits.empty());
    bits.add(0);
    EXPECT_TRUE(bits.empty());
    bits.add(6);       // 110
    bits.add(-0.375);  // 0.011
    EXPECT_EQ(bits.low(), -3);
    EXPECT_EQ(bits.high(), 3);
}

TEST(FixedPoint, RefusesWhatLeaves128Bits) {
    const Int128 large = Int128{1} << 126;
    EXPECT_TRUE(add_exactly(large, large - 1) == large * 1 + (large - 1));
    EXPECT_THROW(add_exactly(large, large), LimitError);
    EXPECT_THROW(subtract_exactly(-large, large + 1), LimitError);
}

}  // namespace
}  // namespace regrove::algebra
