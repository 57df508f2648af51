// Stages of a pipeline: their options, smoke sizes, settings from the command line, and mistakes.
#include "regrove/pipeline/pipeline_file.hpp"

#include <gmock/gmock.h>

#include "unit/pipeline/test_job.hpp"

namespace regrove::pipeline::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* k_two_stages = R"(title = "two"
seed = 4
[[stage]]
job = "train"
max_depth = 5
data = ["${data}/a.csv", "b.csv"]
[[stage]]
job = "train"
name = "again"
eta = 0.5
seed = 6
[smoke.again]
depth = 2
)";

class PipelineFileTest : public testing::Test {
  protected:
    std::vector<Stage> stages_of(const std::string& text, bool smoke, const std::vector<std::string>& sets = {}) {
        std::vector<Setting> overrides;
        for (const auto& set : sets) overrides.push_back(parse_set_argument(set));
        return read_pipeline(folder_.write("p.toml", text), jobs_, smoke, overrides);
    }
    std::string failure_with(const std::string& text, const std::vector<std::string>& sets = {}) {
        return failure_of([&] { stages_of(text, false, sets); });
    }
    static std::string text_of(const Stage& stage) {
        std::string text = stage.name + ":";
        for (const auto& setting : stage.settings) text += " " + setting.key + "=" + setting.value;
        return text;
    }

    TemporaryFolder folder_;
    std::vector<JobRow> jobs_{tree_row("train"), tree_row("predict")};
};

TEST_F(PipelineFileTest, ReadsStagesInOrderWithTheirOptions) {
    const auto stages = stages_of(k_two_stages, false);
    ASSERT_EQ(stages.size(), 2U);
    EXPECT_EQ(text_of(stages[0]), "train: data=${data}/a.csv,b.csv max_depth=5 seed=4");
    EXPECT_EQ(text_of(stages[1]), "again: learning_rate=0.5 seed=6");
}

TEST_F(PipelineFileTest, SmokeSizesAndSettingsBeatTheStage) {
    EXPECT_EQ(text_of(stages_of(k_two_stages, true)[1]), "again: max_depth=2 learning_rate=0.5 seed=6");
    EXPECT_EQ(text_of(stages_of(k_two_stages, true, {"again.max_depth=3", "seed=8"})[1]),
              "again: max_depth=3 learning_rate=0.5 seed=8");
}

TEST_F(PipelineFileTest, AScopeIsAStageAndOnlyThenAJob) {
    EXPECT_EQ(text_of(stages_of(k_two_stages, false, {"train.max_depth=3"})[1]), "again: learning_rate=0.5 seed=6");
    const char* const one = "[[stage]]\njob = 'train'\nname = 'tree'\n[[stage]]\njob = 'predict'\n";
    EXPECT_EQ(text_of(stages_of(one, false, {"train.max_depth=3"})[0]), "tree: max_depth=3");
}

TEST_F(PipelineFileTest, AnUnscopedKeyOfSeveralStagesIsRefused) {
    EXPECT_THAT(failure_with(k_two_stages, {"max_depth=3"}),
                AllOf(StartsWith("64"), HasSubstr("train.max_depth"), HasSubstr("again.max_depth")));
    EXPECT_THAT(failure_with(k_two_stages, {"agian.max_depth=3"}), AllOf(StartsWith("64"), HasSubstr("again")));
    EXPECT_THAT(failure_with(k_two_stages, {"again.max_deph=3"}), AllOf(StartsWith("64"), HasSubstr("'max_depth'")));
    EXPECT_THAT(failure_with(k_two_stages, {"train.threads=3"}), AllOf(StartsWith("78"), HasSubstr("--threads")));
}

TEST_F(PipelineFileTest, MistakesNameTheirPlace) {
    EXPECT_THAT(failure_with("title = 'x'\n"), AllOf(StartsWith("78"), HasSubstr("[[stage]]")));
    EXPECT_THAT(failure_with("[[stage]]\nmax_depth = 3\n"),
                AllOf(StartsWith("78"), HasSubstr("p.toml:1"), HasSubstr("job")));
    EXPECT_THAT(failure_with("[[stage]]\njob = 'trian'\n"),
                AllOf(StartsWith("78"), HasSubstr("p.toml:2"), HasSubstr("'train'")));
    EXPECT_THAT(failure_with("[[stage]]\njob = 'train'\nmax_deph = 3\n"),
                AllOf(StartsWith("78"), HasSubstr("p.toml:3"), HasSubstr("'max_depth'")));
    EXPECT_THAT(failure_with("[[stage]]\njob = 'train'\n[[stage]]\njob = 'train'\n"),
                AllOf(StartsWith("78"), HasSubstr("p.toml:3"), HasSubstr("two stages")));
    EXPECT_THAT(failure_with("[[stage]]\njob = 'train'\nname = 'a/b'\n"), AllOf(StartsWith("78"), HasSubstr("a/b")));
    EXPECT_THAT(failure_with("[[stage]]\njob = 'train'\n[smok]\ndepth = 2\n"),
                AllOf(StartsWith("78"), HasSubstr("p.toml:3")));
    EXPECT_THAT(failure_with("[[stage]]\njob = 'train'\n[smoke]\ndept = 2\n"),
                AllOf(StartsWith("78"), HasSubstr("p.toml:4")));
    EXPECT_THAT(failure_with("max_depth = 3\n[[stage]]\njob = 'train'\n"),
                AllOf(StartsWith("78"), HasSubstr("p.toml:1")));
    EXPECT_THAT(failure_with("[[stage]]\njob = 'train'\nthreads = 2\n"),
                AllOf(StartsWith("78"), HasSubstr("--threads")));
}

}  // namespace
}  // namespace regrove::pipeline::test
