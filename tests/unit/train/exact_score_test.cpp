#include "regrove/train/exact_score.hpp"

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::train {
namespace {

ExactScore score(Int128 a, std::int64_t da, Int128 b, std::int64_t db) {
    ExactScore s;
    s.a = a;
    s.da = da;
    s.b = b;
    s.db = db;
    return s;
}

TEST(ExactScore, TellsApartWhatDoublesCannot) {
    // 1/3 + 1/3 and 2/3 are equal; one more in a numerator of 2^60 is not.
    EXPECT_TRUE(compare(score(1, 3, 1, 3), score(2, 3, 0, 7)) == 0);
    const Int128 large = Int128{1} << 60;
    EXPECT_TRUE(compare(score(large, 3, 0, 1), score(large + 1, 3, 0, 1)) < 0);
    EXPECT_EQ(score(large, 3, 0, 1).value(), score(large + 1, 3, 0, 1).value());
}

TEST(ExactScore, SwappedSidesAreEqual) { EXPECT_TRUE(compare(score(17, 5, 29, 8), score(29, 8, 17, 5)) == 0); }

TEST(ExactScore, AgreesWithLongDoubleOnRandomFractions) {
    const CounterRandom random(3, 1);
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const auto part = [&](std::uint64_t k) {
            return static_cast<std::int64_t>(random.below(8 * i + k, 1000)) + 1;
        };
        ExactScore x = score(part(0), part(1), part(2), part(3));
        ExactScore y = score(part(4), part(5), part(6), part(7));
        x.squared = y.squared = i % 2 == 0;
        const auto value = [](const ExactScore& s) {
            const auto a = static_cast<long double>(static_cast<std::int64_t>(s.a));
            const auto b = static_cast<long double>(static_cast<std::int64_t>(s.b));
            return (s.squared ? a * a : a) / s.da + (s.squared ? b * b : b) / s.db;
        };
        const long double difference = value(x) - value(y);
        EXPECT_TRUE(difference <= 1e-9L || compare(x, y) > 0) << i;
        EXPECT_TRUE(difference >= -1e-9L || compare(x, y) < 0) << i;
        EXPECT_TRUE(compare(x, x) == 0);
        EXPECT_TRUE((compare(x, y) > 0) == (compare(y, x) < 0));
    }
}

TEST(ExactScore, TakesNumbersBeyond128BitProducts) {
    ExactScore x = score(Int128{1} << 100, 3, -(Int128{1} << 99), (std::int64_t{1} << 52) + 1);
    ExactScore y = x;
    EXPECT_TRUE(compare(x, y) == 0);
    y.a += 1;
    EXPECT_TRUE(compare(x, y) < 0);
    x.squared = y.squared = true;
    EXPECT_TRUE(compare(x, y) < 0);
    EXPECT_TRUE(exceeds(y, 0, 1));
}

TEST(ExactScore, TheParentsTermCounts) {
    ExactScore x = score(10, 1, 10, 1);
    ExactScore y = score(12, 1, 10, 1);
    x.c = 1;
    y.c = 4;
    EXPECT_TRUE(compare(x, y) > 0);
    EXPECT_FALSE(exceeds(score(4, 2, 4, 2), 4, 1));
    EXPECT_TRUE(exceeds(score(4, 2, 5, 2), 4, 1));
}

}  // namespace
}  // namespace regrove::train
