// Initial scores through the binary: a column in training, prediction and evaluation, and what needs it or cannot have it.
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "regrove/formats/registry.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

const std::string k_tables = std::string(REGROVE_TEST_DATA) + "/tables/";

class InitialScoreCli : public CliTest {
  protected:
    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }

    std::vector<std::string> lines(const std::string& path) const {
        std::istringstream text(read(path));
        std::vector<std::string> all;
        for (std::string line; std::getline(text, line);) all.push_back(line);
        return all;
    }
    std::vector<double> numbers(const std::string& path) const {
        std::vector<double> all;
        for (const std::string& line : lines(path)) {
            if (!line.empty() && (std::isdigit(line[0]) != 0 || line[0] == '-')) all.push_back(std::stod(line));
        }
        return all;
    }

    /// A table with the raw scores of m.json for its rows as one more column.
    void with_scores(const std::string& table, const std::string& made) {
        ok(regrove("predict -q --model m.json --data " + table + " --kind raw --output raw.csv --overwrite"));
        const auto rows = lines(table);
        const auto scores = lines("raw.csv");
        ASSERT_EQ(rows.size(), scores.size());
        std::string text;
        for (std::size_t i = 0; i < rows.size(); ++i) text += rows[i] + "," + scores[i] + "\n";
        write(made, text);
    }
};

TEST_F(InitialScoreCli, TwentyTreesOnThePredictionsOfTwentyAreForty) {
    const std::string train = k_tables + "wdbc_train.csv";
    const std::string test = k_tables + "wdbc_test.csv";
    const std::string words = "train -q --method boosting --trees 20 --max-depth 3 --target diagnosis ";
    ok(regrove(words + "--data " + train + " --output m.json"));
    ok(regrove(words + "--data " + train + " --continue m.json --output forty.json"));
    with_scores(train, "train.csv");
    with_scores(test, "test.csv");
    const std::string more = words + "--data train.csv --initial-score raw --valid test.csv --learning-curve c.csv ";
    ok(regrove(more + "--output more.json"));
    ok(regrove_on(3, more + "--output ranks.json --overwrite"));
    EXPECT_TRUE(read("more.json") == read("ranks.json"));
    for (const std::string table : {"train.csv", "test.csv"}) {
        ok(regrove("predict -q --model forty.json --data " + table + " --kind raw --output a.csv --overwrite"));
        ok(regrove("predict -q --model more.json --data " + table + " --kind raw --output b.csv --overwrite"));
        const auto whole = numbers("a.csv");
        const auto parts = numbers("b.csv");
        ASSERT_EQ(whole.size(), parts.size());
        for (std::size_t row = 0; row < whole.size(); ++row) EXPECT_NEAR(whole[row], parts[row], 1e-4) << row;
    }
    const std::string curve = lines("c.csv").back();
    ok(regrove("evaluate -q --model more.json --data test.csv --metrics log_loss --summary s.json"));
    const double loss = nlohmann::json::parse(read("s.json"))["result"]["log_loss"];
    EXPECT_EQ(std::stod(curve.substr(curve.rfind(',') + 1)), loss) << "validation and evaluate add the same column";
}

TEST_F(InitialScoreCli, WhoAnswersForRowsNeedsTheColumn) {
    std::string text = "x,start,y\n";
    for (int row = 0; row < 40; ++row)
        text += std::to_string(row % 8) + "," + std::to_string(row % 5) + ".5," +
                std::to_string(row % 5 + (row % 8 > 3 ? 3 : 1)) + ".5\n";
    write("t.csv", text);
    write("bare.csv", "x,y\n1,2\n5,4\n");
    const std::string words =
        "train -q --method boosting --objective squared-error --trees 30 --learning-rate 0.5 --data t.csv --target "
        "y ";
    ok(regrove(words + "--initial-score start --output m.json"));
    ok(regrove("evaluate -q --model m.json --data t.csv --metrics rmse --summary s.json"));
    EXPECT_LT(nlohmann::json::parse(read("s.json"))["result"]["rmse"].get<double>(), 1e-3);
    for (const std::string job : {"predict --output p.csv", "evaluate"}) {
        const Outcome none = regrove(job + " --model m.json --data bare.csv");
        EXPECT_EQ(none.code, 65) << job;
        EXPECT_THAT(none.err, HasSubstr("the table has no column 'start' of initial scores")) << job;
    }
    ok(
        regrove("crossvalidate -q --method boosting --objective squared-error --trees 30 --learning-rate 0.5 --data "
                "t.csv --target y --initial-score start --folds 4 --metrics rmse --summary c.json"));
    EXPECT_THAT(read("c.json"), HasSubstr("rmse"));
    ok(regrove("explain -q --model m.json --kind permutation --data t.csv --output i.csv"));
    EXPECT_THAT(read("i.csv"), testing::Not(HasSubstr("start")));
    const Outcome polynomial = regrove("convert --model m.json --form polynomial --output p.json");
    EXPECT_EQ(polynomial.code, 78);
    EXPECT_THAT(polynomial.err, HasSubstr("trained with --initial-score start"));
    const Outcome other = regrove(words + "--continue m.json --output no.json");
    EXPECT_EQ(other.code, 78);
    EXPECT_THAT(other.err, HasSubstr("option.initial_score"));
    const Outcome tree =
        regrove("train --method cart --data t.csv --target y --initial-score start --output no.json");
    EXPECT_EQ(tree.code, 78);
    EXPECT_THAT(tree.err, HasSubstr("--initial-score is for --method boosting"));
}

}  // namespace
}  // namespace regrove::test
