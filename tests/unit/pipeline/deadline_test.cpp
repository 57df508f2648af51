// The nearer of two ends, less its reserve.
#include "regrove/pipeline/deadline.hpp"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>

#include <gtest/gtest.h>

namespace regrove::pipeline {
namespace {

constexpr double k_slack_seconds = 5;  // tests share their machine

TEST(Deadline, ThereMayBeNone) {
    EXPECT_TRUE(std::isinf(Deadline().seconds_left()));
    EXPECT_TRUE(std::isinf(Deadline(std::nullopt, std::nullopt).seconds_left()));
    EXPECT_TRUE(std::isinf(Deadline(1e300, std::nullopt).seconds_left()));
}

TEST(Deadline, TheReserveIsSmallForShortLimits) {
    EXPECT_NEAR(Deadline(1000, std::nullopt).seconds_left(), 995, k_slack_seconds);
    EXPECT_LE(Deadline(1000, std::nullopt).seconds_left(), 995);
    EXPECT_NEAR(Deadline(20, std::nullopt).seconds_left(), 18, k_slack_seconds);
    EXPECT_LE(Deadline(20, std::nullopt).seconds_left(), 18);
    EXPECT_NEAR(Deadline(std::nullopt, 1000).seconds_left(), 910, k_slack_seconds);
    EXPECT_NEAR(Deadline(std::nullopt, 100).seconds_left(), 75, k_slack_seconds);
}

TEST(Deadline, TheNearerEndCounts) {
    EXPECT_NEAR(Deadline(500, 1000).seconds_left(), 495, k_slack_seconds);
    EXPECT_NEAR(Deadline(1000, 1000).seconds_left(), 910, k_slack_seconds);
}

TEST(Deadline, SlurmsEndIsTakenWhenItMakesSense) {
    unsetenv("SLURM_JOB_END_TIME");
    EXPECT_FALSE(slurm_seconds_left());
    setenv("SLURM_JOB_END_TIME", std::to_string(std::time(nullptr) + 300).c_str(), 1);
    ASSERT_TRUE(slurm_seconds_left());
    EXPECT_NEAR(*slurm_seconds_left(), 300, k_slack_seconds);
    for (const char* text : {"", "tomorrow", "5"}) {
        setenv("SLURM_JOB_END_TIME", text, 1);
        EXPECT_FALSE(slurm_seconds_left()) << text;
    }
    unsetenv("SLURM_JOB_END_TIME");
}

}  // namespace
}  // namespace regrove::pipeline
