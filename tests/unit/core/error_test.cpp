// Each error type ends in its exit code, and positions leave out what is unknown.
#include "regrove/core/error.hpp"

#include <cerrno>

#include <gtest/gtest.h>

#include "regrove/core/check.hpp"

namespace regrove {
namespace {

TEST(Errors, EndInTheirExitCodes) {
    EXPECT_EQ(UsageError("").code(), ExitCode::usage);
    EXPECT_EQ(ConfigError("").code(), ExitCode::config);
    EXPECT_EQ(InputError("").code(), ExitCode::data);
    EXPECT_EQ(FormatError("").code(), ExitCode::data);
    EXPECT_EQ(LimitError("").code(), ExitCode::limit);
    EXPECT_EQ(IoError("").code(), ExitCode::io);
    EXPECT_EQ(InternalError("").code(), ExitCode::internal);
    EXPECT_EQ(static_cast<int>(ExitCode::stopped_resumable), 75);
}

TEST(Errors, PositionsLeaveOutWhatIsUnknown) {
    EXPECT_EQ(to_string(TextPosition{"a.csv", 3, 7}), "a.csv:3:7");
    EXPECT_EQ(to_string(TextPosition{"a.csv", 3, 0}), "a.csv:3");
    EXPECT_EQ(to_string(TextPosition{"a.csv", 0, 7}), "a.csv");
    EXPECT_STREQ(InputError(TextPosition{"a.csv", 3, 7}, "bad").what(), "a.csv:3:7: bad");
}

TEST(Errors, IoErrorsFollowErrno) {
    EXPECT_STREQ(io_error("open", "x", ENOENT).what(), "cannot open 'x': No such file or directory");
    EXPECT_EQ(io_error("open", "x", ENOENT).code(), ExitCode::io);
    EXPECT_EQ(io_error("open", "x", ENOSPC).code(), ExitCode::io);
    EXPECT_EQ(io_error("open", "x", EACCES).code(), ExitCode::permission);
    EXPECT_EQ(io_error("open", "x", EPERM).code(), ExitCode::permission);
    EXPECT_EQ(io_error("open", "x", EEXIST).code(), ExitCode::cannot_create);
}

TEST(Checks, FailWithThePlace) {
    EXPECT_NO_THROW(REGROVE_CHECK(1 + 1 == 2));
    try {
        REGROVE_CHECK(1 + 1 == 3);
        FAIL() << "the check must throw";
    } catch (const InternalError& error) {
        EXPECT_NE(std::string(error.what()).find("1 + 1 == 3"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("error_test.cpp:"), std::string::npos);
    }
}

}  // namespace
}  // namespace regrove
