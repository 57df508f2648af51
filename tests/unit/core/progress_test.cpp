// Progress on a (pseudo) terminal is one rewritten line; elsewhere short work writes nothing.
#include "regrove/core/progress.hpp"

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "regrove/core/log.hpp"

namespace regrove {
namespace {

/// What has been written to a pseudo terminal. It comes in pieces, some later than others: a mark is written behind it and
/// waited for.
std::string read_to_end(int terminal, int other_end) {
    const std::string mark = "<end>";
    EXPECT_EQ(::write(other_end, mark.data(), mark.size()), static_cast<ssize_t>(mark.size()));
    std::string text;
    while (!text.ends_with(mark)) {
        pollfd waiting{terminal, POLLIN, 0};
        if (::poll(&waiting, 1, 10000) != 1) return text + " (cut off)";
        std::array<char, 4096> piece{};
        const auto size = ::read(terminal, piece.data(), piece.size());
        if (size <= 0) return text + " (cut off)";
        text.append(piece.data(), static_cast<std::size_t>(size));
    }
    return text.substr(0, text.size() - mark.size());
}

/// Runs `work` with standard error on a pseudo terminal; returns what was written there.
template <class Work>
std::string on_terminal(Work work) {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_EQ(::grantpt(terminal), 0);
    EXPECT_EQ(::unlockpt(terminal), 0);
    const int other_end = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
    const int saved = ::dup(STDERR_FILENO);
    std::fflush(stderr);
    ::dup2(other_end, STDERR_FILENO);
    work();
    std::fflush(stderr);
    ::dup2(saved, STDERR_FILENO);
    ::close(saved);
    const std::string text = read_to_end(terminal, other_end);
    ::close(other_end);
    ::close(terminal);
    return text;
}

void count_to_ten(ProgressMode mode, int rank) {
    set_progress_mode(mode, rank);
    Progress progress("sort columns", 10, "columns");
    progress.advance(3);  // too early to be shown
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    progress.advance(2);
    log::warning("odd");
}

TEST(Progress, RewritesOneLineOnATerminal) {
    const std::string text = on_terminal([] { count_to_ten(ProgressMode::automatic, 0); });
    EXPECT_EQ(text, "\rsort columns: 5 of 10 columns (50 %)\x1b[K\r\x1b[Kregrove: warning: odd\r\n");
}

TEST(Progress, IsSilentWhenOffOrOnOtherRanks) {
    EXPECT_EQ(on_terminal([] { count_to_ten(ProgressMode::off, 0); }), "regrove: warning: odd\r\n");
    EXPECT_EQ(on_terminal([] { count_to_ten(ProgressMode::on, 1); }), "regrove: warning: odd\r\n");
}

TEST(Progress, ShortWorkWritesNothingIntoALog) {
    testing::internal::CaptureStderr();
    count_to_ten(ProgressMode::automatic, 0);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "regrove: warning: odd\n");
}

}  // namespace
}  // namespace regrove
