// One live process in a run directory; a dead one's lock is taken over.
#include "regrove/pipeline/run_lock.hpp"

#include <csignal>

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/pipeline/test_job.hpp"

namespace regrove::pipeline::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(RunLockTest, RefusesASecondHolderAndNamesTheFirst) {
    const TemporaryFolder folder;
    {
        const RunLock lock(folder.path());
        EXPECT_THAT(failure_of([&] { RunLock(folder.path()); }),
                    AllOf(StartsWith("73"), HasSubstr(std::to_string(getpid()))));
    }
    EXPECT_EQ(folder.file_count(), 0U);
    EXPECT_EQ(failure_of([&] { RunLock(folder.path()); }), "");
}

TEST(RunLockTest, TakesOverFromAKilledProcess) {
    const TemporaryFolder folder;
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const RunLock lock(folder.path());
        if (write(ready[1], "x", 1) == 1) pause();
        _exit(1);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_THAT(failure_of([&] { RunLock(folder.path()); }),
                AllOf(StartsWith("73"), HasSubstr(std::to_string(child))));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(std::filesystem::exists(folder / "lock"));
    EXPECT_EQ(failure_of([&] { RunLock(folder.path()); }), "");
}

TEST(RunLockTest, DoesNotTakeOverFromAnotherHost) {
    const TemporaryFolder folder;
    folder.write("lock", "some-other-host 77\n");
    EXPECT_THAT(failure_of([&] { RunLock(folder.path()); }),
                AllOf(StartsWith("73"), HasSubstr("some-other-host"), HasSubstr("delete")));
}

}  // namespace
}  // namespace regrove::pipeline::test
