// What a mistake is answered with: one message, a hint, the right exit code on every rank, and no half-written file.
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using CliErrorsTest = CliTest;

TEST_F(CliErrorsTest, MistakesOnTheCommandLine) {
    EXPECT_EQ(regrove("").code, 64);
    const Outcome job = regrove("generat --rows 5");
    EXPECT_EQ(job.code, 64);
    EXPECT_THAT(job.err, AllOf(StartsWith("regrove: error: unknown job 'generat'"), HasSubstr("'generate'"),
                               HasSubstr("regrove: hint:")));
    const Outcome flag = regrove("generate --row 5 --output a.csv");
    EXPECT_EQ(flag.code, 64);
    EXPECT_THAT(flag.err, AllOf(HasSubstr("'--rows'"), HasSubstr("regrove generate --help")));
    EXPECT_EQ(flag.out, "");
    const Outcome value = regrove("generate --rows 0 --output a.csv");
    EXPECT_EQ(value.code, 78);
    EXPECT_THAT(value.err, AllOf(HasSubstr("--rows"), HasSubstr("1 .. ")));
    EXPECT_FALSE(exists("a.csv"));
}

TEST_F(CliErrorsTest, MistakesInAFileNameItsLine) {
    write("c.toml", "[generate]\nrows = 10\nrow = 5\n");
    const Outcome unknown = regrove("generate --config c.toml --output a.csv");
    EXPECT_EQ(unknown.code, 78);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("c.toml:3"), HasSubstr("'rows'")));
    write("c.toml", "rows = 10\nrows = 5\n");
    const Outcome twice = regrove("generate --config c.toml --output a.csv");
    EXPECT_EQ(twice.code, 78);
    EXPECT_THAT(twice.err, HasSubstr("c.toml:2"));
}

TEST_F(CliErrorsTest, ExistingOutputsAreNeverReplacedSilently) {
    write("a.csv", "old");
    const Outcome refused = regrove("generate --rows 5 --output a.csv");
    EXPECT_EQ(refused.code, 73);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("a.csv"), HasSubstr("--overwrite")));
    EXPECT_EQ(read("a.csv"), "old");
    EXPECT_EQ(regrove("generate --rows 5 --output a.csv --overwrite").code, 0);
    EXPECT_NE(read("a.csv"), "old");
    write("s.json", "old");
    EXPECT_EQ(regrove("generate --rows 5 --output b.csv --summary s.json").code, 73);
    EXPECT_FALSE(exists("b.csv"));
}

TEST_F(CliErrorsTest, EveryRankEndsWithOneMessage) {
    for (int ranks = 1; ranks <= 3; ++ranks) {
        const Outcome missing = regrove_on(ranks, "draw --model none.json --output t.svg");
        EXPECT_EQ(missing.code, 74) << ranks;
        const Outcome bounds = regrove_on(ranks, "generate --rows 0 --output a.csv");
        EXPECT_EQ(bounds.code, 78) << ranks;
        EXPECT_EQ(count_of(bounds.err, "regrove: error:"), 1U) << bounds.err;
    }
}

TEST_F(CliErrorsTest, RanksStartedDifferentlyAreToldApart) {
    const Outcome seed =
        run("mpirun -n 1 \"$REGROVE\" generate --rows 5 --output a.csv --seed 1 : "
            "-n 2 \"$REGROVE\" generate --rows 5 --output a.csv --seed 2");
    EXPECT_EQ(seed.code, 78);
    EXPECT_EQ(count_of(seed.err, "regrove: error:"), 1U) << seed.err;
    EXPECT_THAT(seed.err, HasSubstr("rank 1 was started with --seed '2', rank 0 with --seed '1'"));
    EXPECT_FALSE(exists("a.csv"));
    const Outcome mistake =
        run("mpirun -n 1 \"$REGROVE\" generate --rows 5 --output a.csv : "
            "-n 1 \"$REGROVE\" generate --rows 0 --output a.csv");
    EXPECT_EQ(mistake.code, 78);
    EXPECT_THAT(mistake.err, HasSubstr("rank 1: --rows"));
    const Outcome job =
        run("mpirun -n 1 \"$REGROVE\" generate --rows 5 --output a.csv : "
            "-n 1 \"$REGROVE\" run p.toml");
    EXPECT_EQ(job.code, 78);
    EXPECT_THAT(job.err, HasSubstr("job"));
}

TEST_F(CliErrorsTest, ARankThatFailsAloneEndsTheOthersWithinSeconds) {
    const auto begin = std::chrono::steady_clock::now();
    const Outcome lone =
        run("mpirun -n 2 \"$REGROVE\" generate --rows 3000000 --output a.h5 : "
            "-n 1 \"$REGROVE\" generate --rows 3000000 --output a.h5 --memory-limit 30MiB");
    EXPECT_EQ(lone.code, 69);
    EXPECT_EQ(count_of(lone.err, "regrove: error:"), 1U) << lone.err;
    EXPECT_THAT(lone.err, AllOf(HasSubstr("memory"), HasSubstr("rank 2")));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2) << "only out.txt and err.txt";
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(CliErrorsTest, AFullDeviceEndsWithoutASecondFile) {
    const Outcome full = regrove(
        "generate --rows 100000 --output full.csv --summary s.json > /dev/full; "
        "\"$REGROVE\" generate --rows 100000 --output - > /dev/full 2>full.txt; echo $? >code.txt; true");
    EXPECT_EQ(full.code, 0);
    EXPECT_EQ(read("code.txt"), "74\n");
    EXPECT_THAT(read("full.txt"), HasSubstr("standard output"));
}

TEST_F(CliErrorsTest, TheSummaryOfAFailureSaysWhy) {
    const Outcome missing = regrove("draw --model none.json --output t.svg --summary s.json");
    EXPECT_EQ(missing.code, 74);
    const auto json = nlohmann::json::parse(read("s.json"));
    EXPECT_EQ(json["exit_code"], 74);
    EXPECT_EQ(json["job"], "draw");
    EXPECT_THAT(json["error"].get<std::string>(), HasSubstr("none.json"));
}

TEST_F(CliErrorsTest, ATimeLimitEndsTheJobWithoutHalfWrittenFiles) {
    const Outcome late = regrove("generate --rows 100000000 --output big.csv --time-limit 1");
    EXPECT_EQ(late.code, 69);
    EXPECT_THAT(late.err, HasSubstr("time limit"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2) << "only out.txt and err.txt";
}

TEST_F(CliErrorsTest, AMemoryLimitEndsTheJobWithCode69) {
    const Outcome small = regrove("generate --rows 3000000 --output big.h5 --memory-limit 20MiB");
    EXPECT_EQ(small.code, 69);
    EXPECT_THAT(small.err, HasSubstr("memory"));
    EXPECT_FALSE(exists("big.h5"));
}

TEST_F(CliErrorsTest, TermEndsByItsSignalAndLeavesNoTemporary) {
    const pid_t child = start("exec \"$REGROVE\" generate --rows 100000000 --output big.csv");
    for (int i = 0; i < 500 && std::distance(std::filesystem::directory_iterator(folder_), {}) < 3; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 3) << "the temporary is there";
    kill(child, SIGTERM);
    EXPECT_EQ(wait_for(child).code, 128 + SIGTERM);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

}  // namespace
}  // namespace regrove::test
