// Which of a curve's levels is the last good one.
#include "regrove/pipeline/monomial_levels.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace regrove::pipeline {
namespace {

metric::Metric auc() { return metric::find_metric("roc_auc", metric::Task::classification); }

TEST(LastGoodLevel, EndsWhereTheMetricIsWorseForTheFirstTime) {
    const std::vector<double> metrics{0.9, 0.8995, 0.898, 0.9};
    EXPECT_EQ(last_good_level(metrics, 0.9, 0.001, auc()), 1U);
    EXPECT_EQ(last_good_level(metrics, 0.9, 0.002001, auc()), 3U);
    EXPECT_EQ(last_good_level(metrics, 0.95, 0.001, auc()), 0U) << "the first when it is so at once";
}

TEST(LastGoodLevel, BothSidesEndWhereItIsBetterToo) {
    const std::vector<double> metrics{0.9, 0.9005, 0.904, 0.9};
    EXPECT_EQ(last_good_level(metrics, 0.9, 0.001, auc()), 3U);
    EXPECT_EQ(last_good_level(metrics, 0.9, 0.001, auc(), true), 1U);
}

TEST(LastGoodLevel, AnErrorIsBetterWhenLessAndAnUndefinedMetricIsWorse) {
    const auto rmse = metric::find_metric("rmse", metric::Task::regression);
    const std::vector<double> metrics{1.0, 0.9, 1.05, std::numeric_limits<double>::quiet_NaN(), 0.9};
    EXPECT_EQ(last_good_level(metrics, 1.0, 0.01, rmse), 1U);
    EXPECT_EQ(last_good_level(metrics, 1.0, 0.06, rmse), 2U);
    EXPECT_EQ(last_good_level(metrics, 1.0, 0.06, rmse, true), 0U);
}

}  // namespace
}  // namespace regrove::pipeline
