// Help, version, completion and manual: complete, without MPI, and quick.
#include <array>
#include <chrono>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using CliHelpTest = CliTest;

/// All jobs: a new one is to be named here.
constexpr std::array k_jobs{"ingest",     "generate", "bin",     "train",    "crossvalidate",
                            "stability",  "search",   "predict", "evaluate", "prune",
                            "monoforest", "convert",  "cost",    "explain",  "reborn",
                            "growth",     "verify",   "draw",    "run"};

TEST_F(CliHelpTest, OverviewListsTheJobsByWhatTheyAreFor) {
    const Outcome help = regrove("--help");
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.err, "");
    for (const char* job : k_jobs) EXPECT_THAT(help.out, HasSubstr(std::string("\n  ") + job + " "));
    EXPECT_LT(help.out.find("ingest"), help.out.find("train"));
}

TEST_F(CliHelpTest, HelpStartsWithoutMpi) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        // A broken MPI would end anything that starts it.
        ASSERT_EQ(run("OMPI_MCA_btl=none OMPI_MCA_pml=none \"$REGROVE\" --help").code, 0);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    EXPECT_LT(best, 0.2);  // 50 ms on an idle machine; tests share theirs
}

TEST_F(CliHelpTest, EveryJobShowsItsOptionsWithDefaultsBoundsAndAnExample) {
    for (const char* job : k_jobs) {
        const Outcome help = regrove(std::string(job) + " --help");
        EXPECT_EQ(help.code, 0) << job;
        EXPECT_THAT(help.out, AllOf(HasSubstr(std::string("Usage: regrove ") + job), HasSubstr("Example: regrove "),
                                    HasSubstr("--seed N"), HasSubstr("[default 0; >= 0]"), HasSubstr("auto|on|off")));
    }
    EXPECT_THAT(regrove("run --help").out, AllOf(HasSubstr("run PIPELINE"), Not(HasSubstr("--config"))));
    EXPECT_EQ(regrove("help train").out, regrove("train --help").out);
}

TEST_F(CliHelpTest, VersionTellsBuildMpiHdf5AndCompiler) {
    const Outcome text = regrove("--version");
    EXPECT_EQ(text.code, 0);
    EXPECT_THAT(text.out, AllOf(HasSubstr("regrove 0."), HasSubstr("MPI"), HasSubstr("HDF5 1.")));
    const auto json = nlohmann::json::parse(regrove("--version --json").out);
    for (const char* key : {"version", "results_version", "build", "compiler", "mpi", "hdf5"}) {
        EXPECT_TRUE(json.contains(key)) << key;
    }
    EXPECT_THAT(json["hdf5"].get<std::string>(), HasSubstr("parallel"));
}

TEST_F(CliHelpTest, CompletionScriptCompletesJobsFlagsAndChoices) {
    ASSERT_EQ(regrove("completion bash").code, 0);
    write("completion.sh", read("out.txt"));
    const auto completed = [&](const std::string& words, int index) {
        write("ask.sh", "source ./completion.sh\nCOMP_WORDS=(" + words + ")\nCOMP_CWORD=" + std::to_string(index) +
                            "\n_regrove\necho \"${COMPREPLY[@]}\"\n");
        return run("bash ask.sh").out;
    };
    EXPECT_THAT(completed("regrove gen", 1), "generate\n");
    EXPECT_THAT(completed("regrove run --sm", 2), "--smoke\n");
    EXPECT_THAT(completed("regrove train --progress o", 3), "on off\n");
    EXPECT_EQ(regrove("completion fish").code, 64);
}

TEST_F(CliHelpTest, ManualPageIsWellFormed) {
    const Outcome page = regrove("man");
    EXPECT_EQ(page.code, 0);
    EXPECT_THAT(page.out, AllOf(HasSubstr(".SH EXIT STATUS"), HasSubstr(".SS generate"), HasSubstr("\\-\\-seed N")));
    EXPECT_EQ(count_of(page.out, ".SS "), k_jobs.size());
}

}  // namespace
}  // namespace regrove::test
