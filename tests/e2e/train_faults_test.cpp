// What training refuses: one message, the right exit code on all ranks, and no model left behind.
#include <filesystem>

#include <gmock/gmock.h>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Refusal {
    const char* name;
    const char* table;
    const char* words;  ///< beside data and output
    int code;
    const char* says;
};

constexpr Refusal k_refusals[] = {
    {"empty_table", "x,y\n", "--target y", 65, "empty"},
    {"one_row", "x,y\n1,a\n", "--target y", 65, "nothing to learn"},
    {"one_class", "x,y\n1,a\n2,a\n3,a\n", "--target y", 65, "nothing to learn"},
    {"unknown_target", "x,y\n1,a\n2,b\n3,a\n", "--target z", 78, "'z'"},
    {"missing_label", "x,y\n1,a\n2,b\n3,\n4,a\n", "--target y", 65, "missing"},
    {"infinite_value", "x,y\n1,a\ninf,b\n3,a\n1.5,b\n", "--target y", 65, "infinite"},
    {"integer_label_without_objective", "x,y\n1,3\n2,4\n3,5\n", "--target y", 78, "--objective"},
    {"no_features", "y\na\nb\na\n", "--target y", 65, "feature"},
    {"classes_for_numbers", "x,y\n1,1.5\n2,2.5\n3,1.25\n", "--target y --objective gini", 65, "squared_error"},
    {"numbers_for_classes", "x,y\n1,a\n2,b\n3,a\n", "--target y --objective squared_error", 65, "gini"},
    {"unknown_class_weight", "x,y\n1,a\n2,b\n3,a\n", "--target y --class-weight c=2", 78, "--class-weight"},
    {"leaves_need_best_first", "x,y\n1,a\n2,b\n3,a\n", "--target y --max-leaves 3 --grow depth-first", 78, "--grow"},
};

class TrainRefuses : public CliTest, public testing::WithParamInterface<Refusal> {};

TEST_P(TrainRefuses, WithOneMessageOnAnyNumberOfRanks) {
    const Refusal& refusal = GetParam();
    write("t.csv", refusal.table);
    for (const int ranks : {0, 2}) {
        const std::string words = std::string("train --data t.csv --output m.json ") + refusal.words;
        const Outcome outcome = ranks == 0 ? regrove(words) : regrove_on(ranks, words);
        EXPECT_EQ(outcome.code, refusal.code) << ranks << " ranks: " << outcome.err;
        EXPECT_EQ(count_of(outcome.err, "regrove: error:"), 1U) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(refusal.says));
        EXPECT_THAT(outcome.err, Not(HasSubstr("bug")));
        EXPECT_FALSE(exists("m.json"));
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("m.json")));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, TrainRefuses, testing::ValuesIn(k_refusals),
                         [](const auto& of) { return std::string(of.param.name); });

using TrainJob = CliTest;

TEST_F(TrainJob, MoreRanksThanRowsGiveTheSameModel) {
    write("t.csv", "x,y\n1,a\n2,b\n3,a\n");
    ASSERT_EQ(regrove("train --data t.csv --target y --output one.json").code, 0);
    const Outcome many = regrove_on(4, "train --data t.csv --target y --output four.json");
    ASSERT_EQ(many.code, 0) << many.err;
    EXPECT_EQ(read("one.json"), read("four.json"));
}

TEST_F(TrainJob, AFullDiskLeavesNoModel) {
    const std::string data = std::string(REGROVE_TEST_DATA) + "/tables/cleveland.csv";
    const Outcome outcome =
        run("ulimit -f 1; trap '' XFSZ; \"$REGROVE\" train --data " + data + " --target disease --output m.json");
    EXPECT_EQ(outcome.code, 74) << outcome.err;
    EXPECT_EQ(count_of(outcome.err, "regrove: error:"), 1U) << outcome.err;
    EXPECT_FALSE(exists("m.json"));
}

TEST_F(TrainJob, AMissingTableIsNamed) {
    const Outcome outcome = regrove_on(2, "train --data nowhere.csv --target y --output m.json");
    EXPECT_EQ(outcome.code, 74);
    EXPECT_THAT(outcome.err, HasSubstr("nowhere.csv"));
}

TEST_F(TrainJob, ModelsDoNotDependOnGrowthOrderOrThreads) {
    const std::string words =
        "train --target disease --data " + std::string(REGROVE_TEST_DATA) + "/tables/cleveland.csv";
    ASSERT_EQ(regrove(words + " --threads 1 --output a.json").code, 0);
    ASSERT_EQ(regrove(words + " --threads 2 --grow depth-first --output b.json").code, 0);
    EXPECT_EQ(read("a.json"), read("b.json"));
}

}  // namespace
}  // namespace regrove::test
