// What the log writes to standard error at each level and rank.
#include "regrove/core/log.hpp"

#include <gtest/gtest.h>

namespace regrove {
namespace {

std::string logged(log::Level level, int rank, int ranks) {
    log::configure(level, rank, ranks);
    testing::internal::CaptureStderr();
    log::error("bad {x}");
    log::warning("odd");
    log::info("done");
    log::debug("detail");
    std::string text = testing::internal::GetCapturedStderr();
    log::configure(log::Level::info, 0, 1);
    return text;
}

TEST(Log, LevelsAndPrefixes) {
    EXPECT_EQ(logged(log::Level::quiet, 0, 1), "");
    EXPECT_EQ(logged(log::Level::error, 0, 1), "regrove: error: bad {x}\n");
    EXPECT_EQ(logged(log::Level::warning, 0, 4), "regrove: error: bad {x}\nregrove: warning: odd\n");
    EXPECT_EQ(logged(log::Level::info, 0, 1),
              "regrove: error: bad {x}\nregrove: warning: odd\nregrove: info: done\n");
    EXPECT_EQ(logged(log::Level::debug, 0, 1),
              "regrove: error: bad {x}\nregrove: warning: odd\nregrove: info: done\nregrove: debug: detail\n");
}

TEST(Log, OtherRanksSpeakAtDebugOnly) {
    EXPECT_EQ(logged(log::Level::info, 2, 4), "");
    EXPECT_EQ(logged(log::Level::debug, 2, 4), "regrove: rank 2: error: bad {x}\nregrove: rank 2: warning: odd\n");
}

TEST(Log, TellsItsLevel) {
    log::configure(log::Level::error, 0, 1);
    EXPECT_EQ(log::level(), log::Level::error);
    log::configure(log::Level::info, 0, 1);
}

}  // namespace
}  // namespace regrove
