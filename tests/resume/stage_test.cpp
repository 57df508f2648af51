// A stage of a pipeline with checkpoints: stopped and killed within the stage, it goes on there.
#include <gmock/gmock.h>

#include "resume/counting_case.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

class ResumeStageTest : public CountingTest {
  protected:
    ResumeStageTest() {
        write("p.toml", R"([[stage]]
job = "count"
until = 1000
block = 20
pause = 10
checkpoint = "${run}/ck"
checkpoint_every = "0.05"
output = "${run}/out.table"
)");
    }
    Outcome run_pipeline(const std::string& words, const std::string& environment = "") const {
        return run(environment + " \"" REGROVE_COUNTING_JOB "\" run p.toml --dir r --summary s.json --overwrite " +
                   words);
    }
    /// The step at which the stage began.
    int began_at() const { return summary()["result"]["stages"]["count"]["began_at"]; }
};

TEST_F(ResumeStageTest, GoesOnWithinTheStage) {
    const std::string expected = reference("--until 1000 --block 20");
    EXPECT_EQ(run_pipeline("", "REGROVE_TEST_KILL=named:3:0").code, 128 + SIGKILL);
    const Outcome stopped = run_pipeline("--time-limit 0.4");
    EXPECT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("stage 'count': stopped, as the time is over"));
    const Outcome ended = run_pipeline("--set count.checkpoint_every=10m --set count.pause=0");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_GT(began_at(), 3);
    EXPECT_EQ(read("r/out.table"), expected);
    EXPECT_EQ(run_pipeline("--set count.pause=0").code, 0);
    EXPECT_TRUE(summary()["result"].contains("up_to_date")) << "how often to save is no reason to run again";
}

TEST_F(ResumeStageTest, WhatDoesNotFitTheStageAnyMoreIsDropped) {
    EXPECT_EQ(run_pipeline("--time-limit 0.3").code, 75);
    const Outcome other = run_pipeline("--set count.until=400 --set count.pause=0");
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_THAT(other.err, HasSubstr("dropping what is there"));
    EXPECT_EQ(began_at(), 0);
    EXPECT_EQ(read("r/out.table"), reference("--until 400 --block 20"));
}

}  // namespace
}  // namespace regrove::test
