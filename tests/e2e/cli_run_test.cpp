// Pipelines: stages run in order, finished ones are skipped, changed ones run again, and a killed run goes on.
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* k_pipeline = R"(title = "a table, a tree, a picture"
seed = 3
[[stage]]
job = "generate"
kind = "friedman1"
rows = 5000
output = "${run}/tables/t.csv"
[[stage]]
job = "ingest"
input = ["${run}/tables/t.csv"]
target = "y"
output = "${run}/t.h5"
[[stage]]
job = "generate"
name = "more"
kind = "higgs-like"
rows = 300000
output = "${run}/more.csv"
[smoke.more]
rows = 100
)";

class CliRunTest : public CliTest {
  protected:
    CliRunTest() { write("p.toml", k_pipeline); }

    /// The stages that the run went through, as "ran: a b; up to date: c".
    std::string stages_of(const std::string& summary) const {
        const auto result = nlohmann::json::parse(read(summary))["result"];
        std::string text = "ran:";
        for (const auto& name : result.value("ran", nlohmann::json::array())) text += " " + name.get<std::string>();
        text += "; up to date:";
        for (const auto& name : result.value("up_to_date", nlohmann::json::array()))
            text += " " + name.get<std::string>();
        return text;
    }
    std::string run_pipeline(const std::string& words, const std::string& launcher = "") {
        const Outcome outcome =
            run(launcher + " \"$REGROVE\" run p.toml --smoke --dir r --overwrite --summary s.json " + words);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return outcome.code == 0 ? stages_of("s.json") : "failed";
    }
};

TEST_F(CliRunTest, RunsOnceThenSkipsThenRunsWhatChanged) {
    EXPECT_EQ(run_pipeline(""), "ran: generate ingest more; up to date:");
    EXPECT_TRUE(exists("r/t.h5"));
    EXPECT_EQ(count_of(read("r/more.csv"), "\n"), 101U);
    EXPECT_TRUE(exists("r/stages/01-generate.json"));
    EXPECT_TRUE(exists("r/stages/03-more.json"));
    EXPECT_FALSE(exists("r/lock"));
    const std::string record = read("r/stages/02-ingest.json");
    EXPECT_THAT(record, HasSubstr("${run}/tables/t.csv"));

    EXPECT_EQ(run_pipeline(""), "ran:; up to date: generate ingest more");
    EXPECT_EQ(run_pipeline("", "mpirun -n 2"), "ran:; up to date: generate ingest more");
    EXPECT_EQ(read("r/stages/02-ingest.json"), record);

    EXPECT_EQ(run_pipeline("--set more.rows=50"), "ran: more; up to date: generate ingest");
    EXPECT_EQ(run_pipeline("--set generate.rows=4000 --stage generate"), "ran: generate; up to date:");
    EXPECT_EQ(run_pipeline("--set generate.rows=4000"), "ran: ingest more; up to date: generate");
}

TEST_F(CliRunTest, ChangedFilesAndOptionsRunAgainFromThere) {
    run_pipeline("");
    write("r/t.h5", "damaged");
    EXPECT_EQ(run_pipeline(""), "ran: ingest more; up to date: generate");
    EXPECT_EQ(run_pipeline("--seed 4"), "ran: generate ingest more; up to date:");
    std::filesystem::rename(folder_ / "r", folder_ / "moved");
    const Outcome moved = regrove("run p.toml --smoke --dir moved --overwrite --summary s.json --seed 4");
    EXPECT_EQ(moved.code, 0) << moved.err;
    EXPECT_EQ(stages_of("s.json"), "ran:; up to date: generate ingest more");
}

TEST_F(CliRunTest, ManyRanksLeaveTheSameBytes) {
    run_pipeline("");
    std::filesystem::rename(folder_ / "r", folder_ / "one");
    EXPECT_EQ(run_pipeline("", "mpirun -n 3"), "ran: generate ingest more; up to date:");
    for (const char* name : {"/tables/t.csv", "/t.h5", "/more.csv"}) {
        EXPECT_EQ(read(std::string("one") + name), read(std::string("r") + name)) << name;
    }
}

TEST_F(CliRunTest, AKilledRunGoesOnAtItsStage) {
    const pid_t child = start("exec \"$REGROVE\" run p.toml --dir r");
    for (int i = 0; i < 2000 && !exists("r/stages/02-ingest.json"); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kill(child, SIGKILL);
    EXPECT_EQ(wait_for(child).code, 128 + SIGKILL);
    ASSERT_TRUE(exists("r/stages/02-ingest.json"));
    ASSERT_FALSE(exists("r/stages/03-more.json")) << "killed too late to be of use";
    EXPECT_TRUE(exists("r/lock"));
    const Outcome resumed = regrove("run p.toml --dir r --overwrite --summary s.json");
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("ended early"));
    EXPECT_EQ(stages_of("s.json"), "ran: more; up to date: generate ingest");
    EXPECT_EQ(count_of(read("r/more.csv"), "\n"), 300001U);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "r")) {
        EXPECT_THAT(entry.path().string(), Not(HasSubstr("partial")));
    }
}

TEST_F(CliRunTest, StopsBetweenStagesWhenAskedAndSaysGoOn) {
    const pid_t child = start("exec \"$REGROVE\" run p.toml --dir r");
    for (int i = 0; i < 2000 && !exists("r/lock"); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(child, SIGUSR1);
    const Outcome stopped = wait_for(child);
    EXPECT_EQ(stopped.code, 75);
    EXPECT_THAT(stopped.err, AllOf(HasSubstr("stopped as asked"), HasSubstr("run the same command again")));
}

TEST_F(CliRunTest, ARunInUseIsRefused) {
    const pid_t child = start("exec \"$REGROVE\" run p.toml --dir r --set more.rows=50000000");
    for (int i = 0; i < 2000 && !exists("r/lock"); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const Outcome second = run("\"$REGROVE\" run p.toml --dir r 2>second.txt");
    EXPECT_EQ(second.code, 73);
    kill(child, SIGKILL);
    wait_for(child);
}

TEST_F(CliRunTest, AFailedStageIsNamedAndTheEarlierOnesStayDone) {
    const Outcome failed = regrove("run p.toml --smoke --dir r --set ingest.target=price");
    EXPECT_NE(failed.code, 0);
    EXPECT_THAT(failed.err, AllOf(HasSubstr("stage 'ingest': "), HasSubstr("'price'")));
    EXPECT_FALSE(exists("r/lock"));
    EXPECT_FALSE(exists("r/more.csv"));
    EXPECT_EQ(run_pipeline(""), "ran: ingest more; up to date: generate");
}

TEST_F(CliRunTest, OutputsOfStagesAreFilesAndOutsideOfTheRunAreKept) {
    write("o.toml", "[[stage]]\njob = 'generate'\nrows = 5\noutput = '-'\n");
    const Outcome standard_output = regrove("run o.toml --dir r");
    EXPECT_EQ(standard_output.code, 78);
    EXPECT_THAT(standard_output.err, AllOf(HasSubstr("o.toml:1"), HasSubstr("must write to a file")));
    write("o.toml", "[[stage]]\njob = 'generate'\nrows = 5\noutput = 'mine.csv'\n");
    write("mine.csv", "old");
    EXPECT_EQ(regrove("run o.toml --dir r").code, 73);
    EXPECT_EQ(read("mine.csv"), "old");
    EXPECT_EQ(regrove("run o.toml --dir r --overwrite").code, 0);
    EXPECT_EQ(count_of(read("mine.csv"), "\n"), 6U);
}

TEST_F(CliRunTest, MissingDataIsNamedBeforeAnyStageRuns) {
    write("d.toml",
          "[[stage]]\njob = 'generate'\nrows = 5\noutput = '${run}/a.csv'\n"
          "[[stage]]\njob = 'ingest'\ninput = '${data}/none.csv'\noutput = '${run}/t.h5'\n");
    const Outcome unset = run("env -u REGROVE_DATA \"$REGROVE\" run d.toml --dir r");
    EXPECT_EQ(unset.code, 78);
    EXPECT_THAT(unset.err, AllOf(HasSubstr("d.toml:7"), HasSubstr("REGROVE_DATA")));
    const Outcome missing = run("REGROVE_DATA=. \"$REGROVE\" run d.toml --dir r");
    EXPECT_EQ(missing.code, 74);
    EXPECT_THAT(missing.err, AllOf(HasSubstr("d.toml:7"), HasSubstr("none.csv")));
    EXPECT_FALSE(exists("r/a.csv"));
    EXPECT_EQ(regrove("run nothing.toml").code, 74);
}

}  // namespace
}  // namespace regrove::test
