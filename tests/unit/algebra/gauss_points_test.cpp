// Gauss points against their known values and against integrals of powers.
#include "regrove/algebra/gauss_points.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace regrove::algebra {
namespace {

TEST(GaussPoints, OfTwoAndThreeAreTheKnownOnes) {
    const auto two = gauss_points(2);
    ASSERT_EQ(two.size(), 2U);
    EXPECT_DOUBLE_EQ(two[0].place, 0.5 - std::sqrt(3.0) / 6);
    EXPECT_DOUBLE_EQ(two[1].place, 0.5 + std::sqrt(3.0) / 6);
    EXPECT_DOUBLE_EQ(two[0].complement, two[1].place);
    EXPECT_DOUBLE_EQ(two[0].weight, 0.5);
    const auto three = gauss_points(3);
    EXPECT_DOUBLE_EQ(three[0].place, 0.5 - std::sqrt(0.15));
    EXPECT_DOUBLE_EQ(three[1].place, 0.5);
    EXPECT_DOUBLE_EQ(three[0].weight, 5.0 / 18);
    EXPECT_DOUBLE_EQ(three[1].weight, 4.0 / 9);
}

TEST(GaussPoints, IntegrateEveryPowerBelowTwiceTheirNumber) {
    for (const std::size_t count : {1U, 2U, 4U, 7U, 16U, 33U}) {
        const auto points = gauss_points(count);
        for (std::size_t power = 0; power < 2 * count; ++power) {
            double integral = 0;
            double mirrored = 0;
            for (const GaussPoint& point : points) {
                integral += point.weight * std::pow(point.place, power);
                mirrored += point.weight * std::pow(point.complement, power);
            }
            const double expected = 1 / static_cast<double>(power + 1);
            EXPECT_NEAR(integral / expected, 1, 1e-14) << count << " points, power " << power;
            EXPECT_NEAR(mirrored / expected, 1, 1e-14) << count << " points, power " << power;
        }
    }
}

}  // namespace
}  // namespace regrove::algebra
