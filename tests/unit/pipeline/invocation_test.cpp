// Options from file, --set and flags: who beats whom, and what a mistake is answered with.
#include "regrove/pipeline/invocation.hpp"

#include <gmock/gmock.h>

#include "unit/pipeline/test_job.hpp"

namespace regrove::pipeline::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class InvocationTest : public testing::Test {
  protected:
    /// The options after reading these words.
    TreeOptions options_after(const std::vector<std::string>& words) {
        Invocation invocation(jobs_[0]);
        EXPECT_TRUE(invocation.read_command_line(words, jobs_));
        runner_ = invocation.runner();
        return dynamic_cast<TreeJob&>(invocation.job()).options;
    }
    std::string failure_after(const std::vector<std::string>& words) {
        return failure_of([&] { options_after(words); });
    }
    std::string failure_of_file(const std::string& text) {
        return failure_after({"--config", folder_.write("c.toml", text)});
    }

    TemporaryFolder folder_;
    std::vector<JobRow> jobs_{tree_row("train"), tree_row("predict")};
    RunnerOptions runner_;
};

TEST_F(InvocationTest, FlagsBeatSetAndSetBeatsTheFileInAnyOrder) {
    const auto file = folder_.write("c.toml", "max_depth = 3\nlearning_rate = 0.25\nseed = 5\nshuffle = true\n");
    const auto options =
        options_after({"--max-depth", "5", "--set", "max_depth=4", "--set", "learning-rate=0.5", "--config", file});
    EXPECT_EQ(options.max_depth, 5U);
    EXPECT_EQ(options.learning_rate, 0.5);
    EXPECT_TRUE(options.shuffle);
    EXPECT_EQ(runner_.seed, 5U);
}

TEST_F(InvocationTest, AliasesAreTheSameOptionInEveryLayer) {
    const auto file = folder_.write("c.toml", "[train]\neta = 0.25\ndepth = 2\n");
    const auto options = options_after({"--config", file, "--set", "train.depth=3", "--learning-rate=0.75"});
    EXPECT_EQ(options.learning_rate, 0.75);
    EXPECT_EQ(options.max_depth, 3U);
}

TEST_F(InvocationTest, ListsAreRepeatedFollowedOrSeparatedByCommas) {
    EXPECT_THAT(options_after({"--data", "a", "b", "--data", "c,d", "--shuffle"}).data,
                ElementsAre("a", "b", "c", "d"));
    const auto file = folder_.write("c.toml", "data = ['x', 'y,z']\n");
    EXPECT_THAT(options_after({"--config", file}).data, ElementsAre("x", "y,z"));
    EXPECT_THAT(options_after({"--config", file, "--data", "w"}).data, ElementsAre("w"));
}

TEST_F(InvocationTest, FlagsStandAloneOrTakeAValueBehindAnEqualsSign) {
    EXPECT_TRUE(options_after({"--shuffle"}).shuffle);
    EXPECT_FALSE(options_after({"--set", "shuffle=yes", "--shuffle=no"}).shuffle);
}

TEST_F(InvocationTest, OneLetterFlags) {
    EXPECT_EQ(options_after({"-o", "-", "-j", "3", "-v"}).output, "-");
    EXPECT_EQ(runner_.threads, 3U);
    EXPECT_EQ(runner_.log_level, log::Level::debug);
    EXPECT_THAT(failure_after({"-q", "-v"}), StartsWith("64"));
}

TEST_F(InvocationTest, SectionsOfOtherJobsAreLeftAlone) {
    const auto file = folder_.write("c.toml", "seed = 9\n[predict]\nmax_depth = 2\n[train]\nmax_depth = 6\n");
    EXPECT_EQ(options_after({"--config", file}).max_depth, 6U);
    EXPECT_EQ(runner_.seed, 9U);
}

TEST_F(InvocationTest, CommandLineMistakesAreUsageErrorsThatNameTheNearest) {
    EXPECT_THAT(failure_after({"--max-deph", "3"}),
                AllOf(StartsWith("64"), HasSubstr("'--max-depth'"), HasSubstr("1 .. 64")));
    EXPECT_THAT(failure_after({"--set", "max_deph=3"}), AllOf(StartsWith("64"), HasSubstr("'max_depth'")));
    EXPECT_THAT(failure_after({"--set", "predict.max_depth=3"}), AllOf(StartsWith("64"), HasSubstr("'predict'")));
    EXPECT_THAT(failure_after({"--set", "max_depth"}), AllOf(StartsWith("64"), HasSubstr("KEY=VALUE")));
    EXPECT_THAT(failure_after({"--max-depth"}), AllOf(StartsWith("64"), HasSubstr("--max-depth")));
    EXPECT_THAT(failure_after({"--max-depth", "3", "--depth", "4"}),
                AllOf(StartsWith("64"), HasSubstr("more than once")));
    EXPECT_THAT(failure_after({"--output", "--shuffle"}), AllOf(StartsWith("64"), HasSubstr("needs a value")));
    EXPECT_THAT(failure_after({"stray"}), AllOf(StartsWith("64"), HasSubstr("'stray'")));
    EXPECT_THAT(failure_after({"-x"}), AllOf(StartsWith("64"), HasSubstr("'-x'")));
}

TEST_F(InvocationTest, ValuesOutOfBoundsAreConfigErrorsThatNameTheAllowed) {
    EXPECT_THAT(failure_after({"--max-depth", "65"}),
                AllOf(StartsWith("78"), HasSubstr("--max-depth"), HasSubstr("1 .. 64")));
    EXPECT_THAT(failure_after({"--learning-rate", "fast"}), AllOf(StartsWith("78"), HasSubstr("fast")));
    EXPECT_THAT(failure_after({"--progress", "perhaps"}), AllOf(StartsWith("78"), HasSubstr("auto, on, off")));
    EXPECT_THAT(failure_after({"--memory-limit", "much"}), AllOf(StartsWith("78"), HasSubstr("4GiB")));
    EXPECT_THAT(failure_after({"--time-limit", "0"}), AllOf(StartsWith("78"), HasSubstr("15m")));
}

TEST_F(InvocationTest, FileMistakesNameFileLineAndNearestKey) {
    EXPECT_THAT(failure_of_file("\nmax_deph = 3\n"),
                AllOf(StartsWith("78"), HasSubstr("c.toml:2"), HasSubstr("'max_depth'")));
    EXPECT_THAT(failure_of_file("max_depth = 3\nmax_depth = 4\n"), AllOf(StartsWith("78"), HasSubstr("c.toml:2")));
    EXPECT_THAT(failure_of_file("max_depth = 3\nmax-depth = 4\n"),
                AllOf(StartsWith("78"), HasSubstr("c.toml:"), HasSubstr("twice")));
    EXPECT_THAT(failure_of_file("\n\nmax_depth = 99\n"),
                AllOf(StartsWith("78"), HasSubstr("c.toml:3"), HasSubstr("1 .. 64")));
    EXPECT_THAT(failure_of_file("[trian]\nmax_depth = 3\n"),
                AllOf(StartsWith("78"), HasSubstr("c.toml:1"), HasSubstr("[train]")));
    EXPECT_THAT(failure_of_file("max_depth = 3\n[train]\n[predict]\n"),
                AllOf(StartsWith("78"), HasSubstr("[train]")));
    EXPECT_THAT(failure_of_file("max_depth = \n"), AllOf(StartsWith("78"), HasSubstr("c.toml:1")));
    EXPECT_THAT(failure_of_file("max_depth = 2020-01-01\n"), AllOf(StartsWith("78"), HasSubstr("c.toml:1")));
    EXPECT_THAT(failure_of_file("config = 'other.toml'\n"), AllOf(StartsWith("78"), HasSubstr("command line")));
    EXPECT_THAT(failure_of_file("[[stage]]\njob = 'train'\n"), AllOf(StartsWith("78"), HasSubstr("regrove run")));
    EXPECT_THAT(failure_after({"--config", folder_ / "none.toml"}), AllOf(StartsWith("74"), HasSubstr("none.toml")));
}

TEST_F(InvocationTest, AnOptionGivenTwiceByAliasInAFileIsTheLastOneOrRefused) {
    EXPECT_THAT(failure_of_file("depth = 3\nmax_depth = 4\n"), AllOf(StartsWith("78"), HasSubstr("max_depth")));
}

TEST_F(InvocationTest, ResultOptionsLeaveOutPathsAndThreads) {
    Invocation invocation(jobs_[0]);
    invocation.read_command_line(std::vector<std::string>{"-j", "2", "--max-depth", "3"}, jobs_);
    const std::vector<std::pair<std::string, std::string>> expected{
        {"max_depth", "3"}, {"learning_rate", "0.3"}, {"shuffle", "no"}, {"seed", "0"}};
    EXPECT_EQ(invocation.result_options(), expected);
}

TEST_F(InvocationTest, UnknownJobsNameTheNearest) {
    EXPECT_THAT(failure_of([&] { find_job(jobs_, "trian"); }), AllOf(StartsWith("64"), HasSubstr("'train'")));
}

}  // namespace
}  // namespace regrove::pipeline::test
