// A full disk and a second start of the same job, as a person meets them.
#include <gmock/gmock.h>

#include "resume/counting_case.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string k_count = "--until 1000 --block 20";
const std::string k_small_disk = "trap '' XFSZ; ulimit -f 400; ";  // blocks of 512 bytes

using ResumeTroubleTest = CountingTest;

TEST_F(ResumeTroubleTest, AFullDiskIsAWarningAndTheWorkIsDone) {
    const std::string expected = reference(k_count);
    ASSERT_EQ(count(1, k_count + " --pause 5 --time-limit 0.2 --checkpoint ck").code, 75);
    const Outcome ended =
        run(k_small_disk + line(1, k_count + " --pause 4 --checkpoint ck --checkpoint-every 0.05 --summary s.json"));
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("could not be written"), HasSubstr("the one before stays")));
    EXPECT_EQ(read("out.table"), expected);
    const auto checkpoints = summary()["details"]["checkpoints"];
    EXPECT_EQ(checkpoints["written"], 0);
    EXPECT_GT(checkpoints["failed"], 1);
    EXPECT_EQ(checkpoints["resumed_from"], 1);
    EXPECT_FALSE(summary()["warnings"].empty());
    EXPECT_EQ(generations().size(), 1U);
}

TEST_F(ResumeTroubleTest, AFullDiskIsAnErrorWhenTheJobIsToStop) {
    const Outcome stopped =
        run(k_small_disk + line(1, k_count + " --pause 20 --checkpoint ck --time-limit 0.3 --summary s.json"));
    EXPECT_EQ(stopped.code, 74) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("checkpoint 1 could not be written"));
}

TEST_F(ResumeTroubleTest, ARequeuedStartEndsTheOneBefore) {
    const std::string expected = reference(k_count);
    const std::string words = k_count + " --pause 20 --checkpoint ck --checkpoint-every 0.1";
    const pid_t old = start("( mpirun -n 2 env " + line(1, words + " --output old.table", "SLURM_JOB_ID=5") +
                            " >old.out 2>old.err )");
    ASSERT_TRUE(wait_for_generation());
    const Outcome second = run(line(1, k_count + " --checkpoint ck", "SLURM_JOB_ID=5 SLURM_RESTART_COUNT=1"));
    EXPECT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(wait_for(old).code, 73);
    EXPECT_THAT(read("old.err"), AllOf(HasSubstr("taken over"), HasSubstr("5-1-")));
    EXPECT_FALSE(exists("old.table"));
    EXPECT_EQ(read("out.table"), expected);
}

TEST_F(ResumeTroubleTest, AStartBesideALiveOneIsRefused) {
    const pid_t live = start("exec " + line(1, k_count + " --pause 1000 --checkpoint ck"));
    for (int i = 0; i < 1000 && !exists("ck/lease.json"); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Outcome refused = run("( " + line(1, k_count + " --checkpoint ck") + " >second.out 2>second.err )");
    EXPECT_EQ(refused.code, 73);
    EXPECT_THAT(read("second.err"), HasSubstr("in use by process " + std::to_string(live)));
    kill(live, SIGKILL);
    wait_for(live);
    EXPECT_EQ(count(1, k_count + " --checkpoint ck").code, 0);
}

}  // namespace
}  // namespace regrove::test
