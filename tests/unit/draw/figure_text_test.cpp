// Figures for people: grouping, honest percentages, thresholds of few but sufficient digits.
#include "regrove/draw/figure_text.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace regrove::draw {
namespace {

TEST(CountText, GroupsByThree) {
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(999), "999");
    EXPECT_EQ(count_text(1000), "1,000");
    EXPECT_EQ(count_text(123456), "123,456");
    EXPECT_EQ(count_text(18446744073709551615U), "18,446,744,073,709,551,615");
    EXPECT_EQ(count_text(1, "leaf", "leaves"), "1 leaf");
    EXPECT_EQ(count_text(0, "leaf", "leaves"), "0 leaves");
}

TEST(PercentText, RoundsToATenth) {
    EXPECT_EQ(percent_text(0.374), "37.4%");
    EXPECT_EQ(percent_text(2.0 / 3), "66.7%");
    EXPECT_EQ(percent_text(0.4), "40%");
}

TEST(PercentText, NeverClaimsNothingOrEverythingFalsely) {
    EXPECT_EQ(percent_text(0), "0%");
    EXPECT_EQ(percent_text(1), "100%");
    EXPECT_EQ(percent_text(1e-9), "<0.1%");
    EXPECT_EQ(percent_text(0.0005), "0.1%");
    EXPECT_EQ(percent_text(0.9996), ">99.9%");
    EXPECT_EQ(percent_text(0.9994), "99.9%");
}

TEST(ErrorText, HasTwoDigits) {
    EXPECT_EQ(error_text(0.001291), "0.0013");
    EXPECT_EQ(error_text(0.0996), "0.1");
    EXPECT_EQ(error_text(0), "0");
    EXPECT_EQ(error_text(123.4), "123");
}

TEST(ValueText, KeepsFourDigitsAndAllWholeOnes) {
    EXPECT_EQ(value_text(0), "0");
    EXPECT_EQ(value_text(-0.0), "0");
    EXPECT_EQ(value_text(46.3571), "46.36");
    EXPECT_EQ(value_text(46.0), "46");
    EXPECT_EQ(value_text(206855.8169), "206,856");
    EXPECT_EQ(value_text(-206855.8169), "-206,856");
    EXPECT_EQ(value_text(9999.6), "10,000");
    EXPECT_EQ(value_text(1234.0), "1234");
    EXPECT_EQ(value_text(0.00123449), "0.001234");
    EXPECT_EQ(value_text(0.0000123449), "1.234e-5");
    EXPECT_EQ(value_text(1.5e12), "1.5e12");
}

TEST(ThresholdText, ShowsAMidPointOfDecimalsWithoutItsNoise) {
    EXPECT_EQ(threshold_text(0.5, {0, 2, 5, false}), "0.5");
    EXPECT_EQ(threshold_text(0.1 + 0.2, {0, 1, 10, false}), "0.3");
    EXPECT_EQ(threshold_text((114.4 + 114.5) / 2, {50, 250, 398, false}), "114.45");
    EXPECT_EQ(threshold_text(-35.5, {-40, 3, 10, false}), "-35.5");
    EXPECT_EQ(threshold_text(0, {-1, 1, 10, false}), "0");
    EXPECT_EQ(threshold_text(1234567, {0, 2e6, 10, false}), "1,234,567");
}

TEST(ThresholdText, KnowsTheNoiseOfSinglePrecision) {
    const double middle = (static_cast<double>(0.1F) + static_cast<double>(0.2F)) / 2;  // 0.15000000223517418
    EXPECT_EQ(threshold_text(middle, {0, 1, 1000000, true}), "0.15");
    EXPECT_EQ(threshold_text(middle, {0, 1, 1000000, false}), "0.15");  // within a tenth of a row too
    EXPECT_EQ(threshold_text(middle, {0.149, 0.151, 1000000, false}), "0.1500000022");
}

TEST(ThresholdText, SpendsDigitsOnRangeAndRows) {
    const double threshold = 0.123456789123;
    EXPECT_EQ(threshold_text(threshold, {0, 1, 100, false}), "0.123");
    EXPECT_EQ(threshold_text(threshold, {0, 1, 100000, false}), "0.123457");
    EXPECT_EQ(threshold_text(threshold, {0.1234567, 0.1234568, 10, false}), "0.1234567891");
}

TEST(ThresholdText, StaysWithinTheRangeItParts) {
    // Rounded to three digits it would lie above every value seen.
    EXPECT_EQ(threshold_text(0.99961234567, {0, 0.9998, 2, false}), "0.9996");
}

TEST(ThresholdText, SurvivesUnknownRangesAndExtremes) {
    EXPECT_EQ(threshold_text(1.0 / 3, {0, 0, 0, false}), "0.3333333");
    EXPECT_EQ(threshold_text(1e300, {0, 2e300, 10, false}), "1e300");
    EXPECT_EQ(threshold_text(std::numeric_limits<double>::infinity(), {0, 1, 10, false}), "inf");
    EXPECT_EQ(threshold_text(std::numeric_limits<double>::denorm_min(), {0, 1, 10, false}), "5e-324");
}

}  // namespace
}  // namespace regrove::draw
