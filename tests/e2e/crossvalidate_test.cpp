// The job crossvalidate through the binary: equal to train and evaluate by hand, on any ranks; its tables; its errors.
#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli_process.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string k_tables = std::string(REGROVE_TEST_DATA) + "/tables/";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

class CrossValidate : public regrove::test::CliTest {
  protected:
    json result_of(const std::string& words) const {
        const auto outcome = regrove(words + " --summary s.json --overwrite");
        EXPECT_EQ(outcome.code, 0) << words << "\n" << outcome.err;
        return json::parse(read("s.json"))["result"];
    }
    void expect_failure(const std::string& words, int code, const std::string& message) const {
        const auto outcome = regrove("crossvalidate " + words);
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(message)) << words;
    }
};

TEST_F(CrossValidate, OfAGivenPairEqualsTrainAndEvaluate) {
    const std::string train = k_tables + "wdbc_train.csv";
    const std::string test = k_tables + "wdbc_test.csv";
    const json pair = result_of("crossvalidate --train-files " + train + " --test-files " + test + " --max-depth 3");
    result_of("train --data " + train + " --target diagnosis --max-depth 3 --output m.json");
    const json on_test = result_of("evaluate --model m.json --data " + test);
    const json on_train = result_of("evaluate --model m.json --data " + train);
    EXPECT_GE(on_test.size(), 5U);
    for (const auto& [name, value] : on_test.items()) {
        EXPECT_EQ(pair[name]["mean"], value) << name;
        EXPECT_EQ(pair[name]["pooled"], value) << name;
        EXPECT_EQ(pair[name]["train_mean"], on_train[name]) << name;
        EXPECT_TRUE(pair[name]["standard_error"].is_null()) << name;
    }
}

TEST_F(CrossValidate, IsTheSameOnAnyRanksAndEitherWayDealt) {
    const std::string words = "crossvalidate --data " + k_tables +
                              "wdbc.csv --target diagnosis --folds 3 --repeats 2 --method forest --trees 2 "
                              "--max-depth 3 --seed 4 --output h.csv --table t.csv --means m.csv --picture p.svg "
                              "--overwrite";
    ASSERT_EQ(regrove(words).code, 0);
    const std::vector<std::string> names{"h.csv", "t.csv", "m.csv", "p.svg"};
    std::vector<std::string> expected;
    for (const auto& name : names) expected.push_back(read(name));
    EXPECT_EQ(lines_of(expected[0]).size(), 1U + 2 * 569);
    EXPECT_EQ(lines_of(expected[1]).size(), 1U + 6);
    for (const int ranks : {2, 3}) {
        for (const std::string deal : {"rows", "trials"}) {
            const auto outcome = regrove_on(ranks, words + " --deal " + deal);
            ASSERT_EQ(outcome.code, 0) << outcome.err;
            for (std::size_t i = 0; i < names.size(); ++i)
                EXPECT_EQ(read(names[i]), expected[i]) << names[i] << " on " << ranks << " by " << deal;
        }
    }
}

TEST_F(CrossValidate, HoldsEachRowOutOnceARepeatAndSaysWhatIsTrue) {
    ASSERT_EQ(regrove("crossvalidate --data " + k_tables +
                      "five_patients.csv --target disease --folds 5 --split plain --metrics accuracy --output h.csv")
                  .code,
              0);
    const auto lines = lines_of(read("h.csv"));
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[0], "repeat,fold,row,truth,class,probability_No,probability_Yes");
    const std::vector<std::string> truth{"Yes", "Yes", "Yes", "No", "No"};
    std::string folds;
    for (std::size_t row = 0; row < 5; ++row) {
        EXPECT_THAT(lines[row + 1], testing::StartsWith("1,"));
        EXPECT_THAT(lines[row + 1], HasSubstr("," + std::to_string(row) + "," + truth[row] + ","));
        folds += lines[row + 1][2];
    }
    std::sort(folds.begin(), folds.end());
    EXPECT_EQ(folds, "12345");
}

TEST_F(CrossValidate, TakesTheFoldsOfAColumnByTheirNamesAndKeepsGroupsTogether) {
    std::string table = "x,part,label\n";
    for (int row = 0; row < 24; ++row)
        table += std::to_string(row) + "," +
                 (row % 3 == 0   ? "north"
                  : row % 3 == 1 ? "south"
                                 : "east") +
                 "," + (row % 2 == 0 ? "a" : "b") + "\n";
    write("t.csv", table);
    ASSERT_EQ(regrove("crossvalidate --data t.csv --target label --fold part --output h.csv --table f.csv").code, 0);
    const auto held_out = lines_of(read("h.csv"));
    EXPECT_THAT(held_out[1], testing::StartsWith("1,north,0,a,"));
    EXPECT_THAT(held_out[2], testing::StartsWith("1,south,1,b,"));
    EXPECT_EQ(lines_of(read("f.csv")).size(), 4U);
    ASSERT_EQ(regrove("crossvalidate --data t.csv --target label --group part --folds 3 --output g.csv").code, 0);
    const auto grouped = lines_of(read("g.csv"));
    for (std::size_t row = 3; row < 24; ++row)
        EXPECT_EQ(grouped[row + 1].substr(0, 4), grouped[row - 2].substr(0, 4));
}

TEST_F(CrossValidate, OfDepthsShowsThatMoreIsNotBetter) {
    const json result =
        result_of("crossvalidate --train-files " + k_tables + "wdbc_train.csv --test-files " + k_tables +
                  "wdbc_test.csv --metrics accuracy --vary max-depth=1,2,3,0 --means m.csv");
    EXPECT_EQ(result["option"], "max_depth");
    const auto accuracy = [&](std::size_t value, const char* which) {
        return result["values"][value]["accuracy"][which].get<double>();
    };
    ASSERT_EQ(result["values"].size(), 4U);
    EXPECT_EQ(result["values"][3]["value"], "0");
    EXPECT_EQ(accuracy(3, "train_mean"), 1.0);
    for (const std::size_t small : {1U, 2U}) EXPECT_GE(accuracy(small, "mean"), accuracy(3, "mean"));
    EXPECT_GT(accuracy(1, "mean"), accuracy(0, "mean"));
    for (const std::size_t value : {0U, 1U, 2U})
        EXPECT_LT(accuracy(value, "train_mean"), accuracy(value + 1, "train_mean"));
    EXPECT_EQ(lines_of(read("m.csv")).size(), 5U);
    EXPECT_THAT(read("m.csv"), testing::StartsWith("max_depth,trials,leaves,train_accuracy,"));
}

TEST_F(CrossValidate, OfNumbersPoolsAllHeldOutRows) {
    std::string table = "x,y\n";
    for (int row = 0; row < 40; ++row) table += std::to_string(row) + "," + std::to_string(row / 10) + ".5\n";
    write("t.csv", table);
    const json result =
        result_of("crossvalidate --data t.csv --target y --folds 4 --metrics mae,rmse --output h.csv");
    double sum = 0;
    for (const auto& line : lines_of(read("h.csv"))) {
        if (line.starts_with("repeat")) continue;
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        ASSERT_EQ(cells.size(), 5U);
        sum += std::abs(std::stod(cells[3]) - std::stod(cells[4]));
    }
    EXPECT_DOUBLE_EQ(result["mae"]["pooled"].get<double>(), sum / 40);
    EXPECT_EQ(result["mae"]["folds"].size(), 4U);
    ASSERT_EQ(regrove("crossvalidate --data t.csv --target y --folds 4 --repeats 2 --output h.h5").code, 0);
    EXPECT_TRUE(exists("h.h5"));
}

TEST_F(CrossValidate, FailsWithWordsThatHelp) {
    const std::string patients = "--data " + k_tables + "five_patients.csv --target disease ";
    expect_failure("", 64, "--data is missing");
    expect_failure(patients + "--folds 6", 78, "--folds 6: the table has only 5 rows");
    expect_failure(patients + "--split grouped", 78, "no group column");
    expect_failure(patients + "--fold nothing", 78, "--fold: no column 'nothing'");
    expect_failure(patients + "--vary max_deph=1,2", 78, "did you mean 'max_depth'?");
    expect_failure(patients + "--vary max_depth=1,x", 78, "whole number");
    expect_failure(patients + "--vary max_depth=1,1", 78, "given twice");
    expect_failure(patients + "--vary max_depth", 78, "OPTION=VALUE");
    expect_failure(patients + "--vary max_depth=1 --output h.csv", 64, "leave out --vary");
    expect_failure(patients + "--folds 2 --metrics rmse", 78, "rmse");
    expect_failure(patients + "--fold stress_test --repeats 2", 78, "one division only");
    expect_failure(patients + "--folds 2 --picture p.gif", 78, "p.gif");
    expect_failure("--train-files a.csv,b.csv --test-files c.csv", 64,
                   "--train-files names 2 files and --test-files 1");
    expect_failure(patients + "--train-files a.csv --test-files c.csv", 64, "not both");
    // One class is left to learn from when "north" is held out.
    write("t.csv", "x,part,label\n1,north,a\n2,north,b\n3,south,b\n4,south,b\n");
    expect_failure("--data t.csv --target label --fold part", 65, "fold 1: label 'label' has only one class");
    write("h.csv", "mine");
    expect_failure(patients + "--folds 2 --output h.csv", 73, "h.csv");
    EXPECT_EQ(read("h.csv"), "mine");
}

TEST_F(CrossValidate, WarnsOfClassesSmallerThanTheFolds) {
    const auto outcome = regrove("crossvalidate --data " + k_tables +
                                 "five_patients.csv --target disease --folds 3 --max-depth 1 "
                                 "--metrics accuracy --summary s.json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(read("s.json"), HasSubstr("class 'No' has 2 rows, fewer than the 3 folds"));
}

}  // namespace
