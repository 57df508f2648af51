// Signals and time limits: save and go on, save and stop, stop now, stop in time; and the exit codes that tell.
#include <gmock/gmock.h>

#include "resume/counting_case.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string k_count = "--until 2000 --block 20";

class ResumeSignalsTest : public CountingTest {
  protected:
    /// Long enough to be met by a signal, and without checkpoints of its own accord.
    const std::string slow_ = k_count + " --checkpoint ck --checkpoint-every 0 --summary s.json --pause ";

    void goes_on_to(const std::string& expected, int ranks) {
        const Outcome ended = count(ranks, k_count + " --checkpoint ck --summary s.json");
        EXPECT_EQ(ended.code, 0) << ended.err;
        EXPECT_GT(summary()["result"]["began_at"], 0);
        EXPECT_EQ(read("out.table"), expected);
    }
    static void pause(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }
};

TEST_F(ResumeSignalsTest, Usr1SavesAndStops) {
    const std::string expected = reference(k_count);
    const pid_t child = start("exec " + line(1, slow_ + "20"));
    pause(500);
    kill(child, SIGUSR1);
    const Outcome stopped = wait_for(child);
    EXPECT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_THAT(stopped.err, AllOf(HasSubstr("stopped, as asked"), HasSubstr("checkpoint 1 in 'ck'")));
    EXPECT_EQ(summary()["exit_code"], 75);
    EXPECT_EQ(summary()["details"]["checkpoints"]["written"], 1);
    EXPECT_FALSE(exists("out.table"));
    goes_on_to(expected, 1);
}

TEST_F(ResumeSignalsTest, Usr1ToMpirunStopsAllRanks) {
    const std::string expected = reference(k_count);
    const pid_t child = start("exec " + line(3, slow_ + "20"));
    pause(1500);
    kill(child, SIGUSR1);
    const Outcome stopped = wait_for(child);
    EXPECT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_EQ(count_of(stopped.err, "stopped, as asked"), 1U);
    goes_on_to(expected, 2);
}

TEST_F(ResumeSignalsTest, Usr2SavesAndGoesOn) {
    const pid_t child = start("exec " + line(1, slow_ + "20"));
    pause(500);
    kill(child, SIGUSR2);
    EXPECT_TRUE(wait_for_generation());
    kill(child, SIGUSR2);
    const Outcome ended = wait_for(child);
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(summary()["details"]["checkpoints"]["written"], 3);  // two as asked, one at the end
    EXPECT_EQ(read("out.table"), reference(k_count));
}

TEST_F(ResumeSignalsTest, TermStopsAtOnceAndWhatWasSavedStays) {
    const std::string expected = reference(k_count);
    const pid_t child = start("exec " + line(1, slow_ + "20"));
    pause(500);
    kill(child, SIGUSR2);
    ASSERT_TRUE(wait_for_generation());
    kill(child, SIGTERM);
    EXPECT_EQ(wait_for(child).code, 128 + SIGTERM);
    EXPECT_EQ(generations().size(), 1U);
    goes_on_to(expected, 1);
}

TEST_F(ResumeSignalsTest, TimeLimitStopsInTimeAndMayBeRepeated) {
    const std::string expected = reference(k_count);
    int runs = 0;
    Outcome outcome;
    do {
        outcome = count(1, slow_ + "20 --time-limit 0.9");
        ++runs;
        if (outcome.code != 0) {
            EXPECT_EQ(outcome.code, 75) << outcome.err;
            EXPECT_THAT(outcome.err, HasSubstr("the time is over"));
            EXPECT_LT(summary()["seconds"]["total"], 2.0);
        }
    } while (outcome.code == 75 && runs < 20);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_GT(runs, 2);
    EXPECT_EQ(read("out.table"), expected);
}

TEST_F(ResumeSignalsTest, TimeLimitWithoutAFolderIsAnEndWithoutAWayOn) {
    const Outcome stopped = count(1, k_count + " --pause 20 --time-limit 0.5");
    EXPECT_EQ(stopped.code, 69) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("without --checkpoint"));
}

TEST_F(ResumeSignalsTest, SlurmsEndIsADeadline) {
    const Outcome stopped = run("SLURM_JOB_END_TIME=$(($(date +%s) + 3)) " + line(1, slow_ + "60"));
    EXPECT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_LT(summary()["seconds"]["total"], 3.0);
    EXPECT_EQ(count(1, slow_ + "0", "SLURM_JOB_END_TIME=5").code, 0);  // long past: another job's
}

TEST_F(ResumeSignalsTest, ExitCodesTellWhatIsThere) {
    const std::string quick = k_count + " --checkpoint ck";
    EXPECT_EQ(count(2, quick + " --resume require").code, 66);
    EXPECT_FALSE(exists("ck"));
    EXPECT_EQ(count(1, k_count + " --resume require").code, 78);
    EXPECT_EQ(count(1, quick).code, 0);
    EXPECT_EQ(count(1, quick + " --resume require").code, 0);
    const Outcome never = count(2, quick + " --resume never");
    EXPECT_EQ(never.code, 73) << never.err;
    const Outcome options = count(2, "--until 1000 --block 20 --checkpoint ck");
    EXPECT_EQ(options.code, 78);
    EXPECT_THAT(options.err, HasSubstr("option until is '1000', in the checkpoint '2000'"));
    const Outcome input = count(1, quick + " --input other");
    EXPECT_EQ(input.code, 65);
    EXPECT_THAT(input.err, HasSubstr("input input is 'other'"));
    for (const auto& name : generations()) write("ck/" + name + "/manifest.json", "{}");
    const Outcome damaged = count(1, quick);
    EXPECT_EQ(damaged.code, 65);
    EXPECT_THAT(damaged.err, HasSubstr("all checkpoints in 'ck' are damaged"));
    EXPECT_EQ(count(1, quick + " --resume never --overwrite").code, 0);
}

TEST_F(ResumeSignalsTest, RanksMustBeGivenTheSameFolder) {
    const Outcome outcome = run("mpirun -n 1 " + line(1, k_count + " --checkpoint a") + " : -n 1 " +
                                line(1, k_count + " --checkpoint b"));
    EXPECT_EQ(outcome.code, 78) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--checkpoint"));
}

}  // namespace
}  // namespace regrove::test
