// The job stability through the binary: a row that decides the root, the same bytes on any ranks, errors.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli_process.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string k_tables = std::string(REGROVE_TEST_DATA) + "/tables/";

class StabilityJob : public regrove::test::CliTest {
  protected:
    json result_of(const std::string& words) const {
        const auto outcome = regrove("stability " + words + " --summary s.json --overwrite");
        EXPECT_EQ(outcome.code, 0) << words << "\n" << outcome.err;
        return json::parse(read("s.json"))["result"];
    }
    void expect_failure(const std::string& words, int code, const std::string& message) const {
        const auto outcome = regrove("stability " + words);
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(message)) << words;
    }
};

/// u and v are equally good, so the first of them is the root. Only without row 3, on which v errs, is v better (even
/// without an error), and then the two rows on which u and v differ get other answers.
TEST_F(StabilityJob, SeesTheRowThatDecidesTheRoot) {
    write("train.csv", "u,v,label\n0,0,a\n0,0,a\n0,0,a\n0,1,a\n1,0,a\n1,1,b\n1,1,b\n1,1,b\n1,1,b\n");
    write("test.csv", "u,v,label\n0,0,a\n1,1,b\n0,1,b\n1,0,b\n");
    const json result = result_of(
        "--data train.csv --valid test.csv --target label --max-depth 1 --output f.csv --table t.csv --roots r.csv "
        "--picture p.svg");
    EXPECT_EQ(read("r.csv"),
              "question,trees,share,of_all_rows\nu > 0.5,8,0.8888888888888888,1\n"
              "v > 0.5,1,0.1111111111111111,0\n");
    EXPECT_EQ(read("f.csv"),
              "fold,row,truth,class,flips,flip_share\n1,0,a,a,0,0\n1,1,b,b,0,0\n"
              "1,2,b,a,1,0.1111111111111111\n1,3,b,b,1,0.1111111111111111\n");
    EXPECT_THAT(read("t.csv"), HasSubstr("1,3,2,4,0,u > 0.5,1\n1,4,3,4,2,v > 0.5,0\n1,5,4,4,0,u > 0.5,1\n"));
    EXPECT_EQ(result["refits"], 9);
    EXPECT_EQ(result["held_out_rows"], 4);
    EXPECT_EQ(result["flips_most"], 2);
    EXPECT_DOUBLE_EQ(result["flip_share"].get<double>(), 2.0 / 36);
    EXPECT_EQ(result["rows_ever_flipped"], 2);
    EXPECT_EQ(result["refits_with_other_root"], 1);
    EXPECT_THAT(read("p.svg"), HasSubstr("u &gt; 0.5"));
}

TEST_F(StabilityJob, IsTheSameOnAnyRanksAndEitherWayDealt) {
    const std::string words = "stability --data " + k_tables + "wdbc_train.csv --valid " + k_tables +
                              "wdbc_test.csv --target diagnosis --max-depth 2 --trials 4 --seed 2 --output f.csv "
                              "--table t.csv --roots r.csv --overwrite ";
    for (const std::string resample : {"leave-one-out", "bootstrap"}) {
        ASSERT_EQ(regrove(words + "--resample " + resample).code, 0);
        const std::string expected = read("f.csv") + read("t.csv") + read("r.csv");
        EXPECT_EQ(regrove::test::count_of(read("f.csv"), "\n"), 172U);
        EXPECT_EQ(regrove::test::count_of(read("t.csv"), "\n"), 5U);
        EXPECT_THAT(read("r.csv"), HasSubstr("worst_concave_points > "));
        for (const int ranks : {2, 3}) {
            for (const std::string deal : {"rows", "trials"}) {
                const auto outcome = regrove_on(ranks, words + "--resample " + resample + " --deal " + deal);
                ASSERT_EQ(outcome.code, 0) << outcome.err;
                EXPECT_EQ(read("f.csv") + read("t.csv") + read("r.csv"), expected) << ranks << " by " << deal;
            }
        }
    }
}

TEST_F(StabilityJob, HoldsOutFoldsOfTheTableItself) {
    const json result = result_of("--data " + k_tables +
                                  "wdbc.csv --target diagnosis --max-depth 2 --folds 2 --trials 3 --output f.csv");
    EXPECT_EQ(result["refits"], 6);
    EXPECT_EQ(result["held_out_rows"], 569);
    EXPECT_EQ(regrove::test::count_of(read("f.csv"), "\n"), 570U);
}

TEST_F(StabilityJob, FailsWithWordsThatHelp) {
    expect_failure("", 64, "--data is missing");
    const std::string patients = "--data " + k_tables + "five_patients.csv --target disease ";
    expect_failure(patients + "--valid " + k_tables + "five_patients.csv --trials 6", 78,
                   "there are only 5 training rows");
    expect_failure("--data " + k_tables + "wdbc.csv --target mean_radius", 78,
                   "the label 'mean_radius' holds numbers");
    expect_failure(patients + "--picture p.gif", 78, "p.gif");
}

}  // namespace
