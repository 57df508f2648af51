// A search through the binary: grid and random, going on after a kill, the best model, and equal bytes on ranks.
#include <chrono>
#include <csignal>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string k_tables = std::string(REGROVE_TEST_DATA) + "/tables/";
const std::string k_data = " --data " + k_tables + "wdbc_train.csv --target diagnosis ";
const std::string k_valid = " --valid " + k_tables + "wdbc_test.csv ";

class SearchCli : public CliTest {
  protected:
    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }

    /// Cells of a CSV file's column, by its name.
    std::vector<std::string> column(const std::string& file, const std::string& name) const {
        std::istringstream text(read(file));
        std::vector<std::string> values;
        std::string line;
        std::size_t place = 0;
        for (bool is_head = true; std::getline(text, line); is_head = false) {
            std::istringstream cells(line);
            std::string cell;
            if (is_head) {
                while (std::getline(cells, cell, ',') && cell != name) ++place;
                EXPECT_EQ(cell, name) << line;
                continue;
            }
            for (std::size_t i = 0; i <= place; ++i) std::getline(cells, cell, ',');
            values.push_back(cell);
        }
        return values;
    }
};

TEST_F(SearchCli, AGridIsTriedWholeAndTheBestModelIsThatOfTrain) {
    const std::string words = "search -q --method boosting --trees 8 --metrics log_loss,roc_auc" + k_data + k_valid +
                              "--vary max_depth=1,3 --vary learning_rate=0.05,0.3 ";
    ok(regrove(words + "--table t.csv --output m.json --summary s.json"));
    EXPECT_THAT(column("t.csv", "trial"), ElementsAre("1", "2", "3", "4"));
    EXPECT_THAT(column("t.csv", "max_depth"), ElementsAre("1", "1", "3", "3"));
    EXPECT_THAT(column("t.csv", "learning_rate"), ElementsAre("0.05", "0.3", "0.05", "0.3"));
    const auto losses = column("t.csv", "test_log_loss");
    std::size_t best = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        if (std::stod(losses[i]) < std::stod(losses[best])) best = i;
    }
    const auto result = summary()["result"];
    EXPECT_EQ(result["best_trial"], best + 1);
    EXPECT_EQ(result["log_loss"]["test"].get<double>(), std::stod(losses[best]));
    ok(regrove("train -q --method boosting --trees 8" + k_data + "--max-depth " + column("t.csv", "max_depth")[best] +
               " --learning-rate " + column("t.csv", "learning_rate")[best] + " --output train.json"));
    EXPECT_TRUE(read("m.json") == read("train.json")) << "the model of train with the best options";
    ok(regrove("evaluate -q --model m.json --data " + k_tables +
               "wdbc_test.csv --metrics log_loss --summary e.json"));
    EXPECT_EQ(nlohmann::json::parse(read("e.json"))["result"]["log_loss"].get<double>(), std::stod(losses[best]));
}

TEST_F(SearchCli, DrawsGoOnAndStayInTheirRanges) {
    const std::string words = "search -q --method forest --trees 5 --folds 2" + k_data +
                              "--vary max_depth=2..4 min_rows_leaf=1..50:log --vary max_features=sqrt,0.5 ";
    ok(regrove(words + "--draws 3 --seed 7 --table three.csv"));
    ok(regrove(words + "--draws 6 --seed 7 --table six.csv"));
    EXPECT_THAT(read("six.csv"), StartsWith(read("three.csv"))) << "six draws begin with the three";
    for (const std::string& value : column("six.csv", "max_depth")) EXPECT_THAT(value, testing::AnyOf("2", "3", "4"));
    std::set<std::string> leaves;
    for (const std::string& value : column("six.csv", "min_rows_leaf")) {
        EXPECT_GE(std::stoi(value), 1);
        EXPECT_LE(std::stoi(value), 50);
        leaves.insert(value);
    }
    EXPECT_GT(leaves.size(), 2U);
    ok(regrove(words + "--draws 3 --seed 8 --table other.csv"));
    EXPECT_NE(read("other.csv"), read("three.csv"));
}

TEST_F(SearchCli, BytesAreEqualOnRanks) {
    const std::string folds = "search -q --method boosting --trees 5 --subsample 0.7 --folds 3" + k_data +
                              "--vary max_depth=1..4 reg_lambda=0.1..10.0:log --draws 3 ";
    const std::string aside = "search -q --method boosting --trees 40 --early-stopping 3 --valid-share 0.3" + k_data +
                              "--vary learning_rate=0.3,0.6 ";
    for (const auto& [name, words] : {std::pair("folds", folds), std::pair("aside", aside)}) {
        SCOPED_TRACE(name);
        const std::string one = std::string(name) + "1";
        const std::string two = std::string(name) + "2";
        ok(regrove(words + "--table " + one + ".csv --output " + one + ".json"));
        ok(regrove_on(2, words + "--table " + two + ".csv --output " + two + ".json"));
        EXPECT_TRUE(read(one + ".csv") == read(two + ".csv")) << read(one + ".csv") << read(two + ".csv");
        EXPECT_TRUE(read(one + ".json") == read(two + ".json"));
    }
    ok(regrove_on(2, aside + "--deal trials --table dealt.csv --output dealt.json"));
    EXPECT_TRUE(read("dealt.csv") == read("aside1.csv"));
    EXPECT_TRUE(read("dealt.json") == read("aside1.json"));
}

TEST_F(SearchCli, AKilledSearchGoesOn) {
    const std::string words = "search --method boosting --trees 60 --max-depth 6 --folds 3" + k_data +
                              "--vary learning_rate=0.02,0.04,0.06,0.08,0.1,0.12,0.14,0.16 ";
    const pid_t child = start("exec \"$REGROVE\" " + words + "--table t.csv --output m.json");
    for (int i = 0; i < 10000 && count_of(read("t.csv"), "\n") < 3; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(child, SIGKILL);
    EXPECT_EQ(wait_for(child).code, 128 + SIGKILL);
    const std::size_t done = column("t.csv", "trial").size();
    ASSERT_GE(done, 2U);
    ASSERT_LT(done, 8U) << "killed too late to be of use";
    ok(regrove(words + "--table t.csv --output m.json --summary s.json"));
    EXPECT_EQ(summary()["details"]["trials_known"], done);
    EXPECT_EQ(summary()["result"]["trials"], 8);
    ok(regrove(words + "--table whole.csv --output whole.json"));
    EXPECT_TRUE(read("t.csv") == read("whole.csv"));
    EXPECT_TRUE(read("m.json") == read("whole.json"));
}

TEST_F(SearchCli, KnownTrialsAreReusedAndOthersAreNotDroppedInSilence) {
    const std::string words = "search -q --method cart --folds 3" + k_data;
    for (const std::string table : {"t.h5", "t.tsv"}) {
        SCOPED_TRACE(table);
        ok(regrove(words + "--vary max_depth=1,2 --table " + table));
        ok(regrove(words + "--vary max_depth=1,2,3 --table " + table + " --summary s.json --overwrite"));
        EXPECT_EQ(summary()["details"]["trials_known"], 2);
        const Outcome other = regrove(words + "--vary max_depth=2,3 --table " + table);
        EXPECT_EQ(other.code, 73);
        EXPECT_THAT(other.err, HasSubstr("1 trials of other options"));
    }
    const Outcome seed = regrove(words + "--vary max_depth=1,2,3 --seed 2 --table t.h5");
    EXPECT_EQ(seed.code, 73) << "another seed makes other folds";
    write("no.csv", "a,b\n1,2\n");
    const Outcome foreign = regrove(words + "--vary max_depth=1,2 --table no.csv --overwrite");
    EXPECT_THAT(foreign.err, HasSubstr("no table of a search"));
    EXPECT_EQ(read("no.csv"), "a,b\n1,2\n");
}

TEST_F(SearchCli, SaysWhatIsWrongWithASpace) {
    const std::string words = "search -q --method boosting --table t.csv" + k_data;
    const auto refused = [&](const std::string& more, const std::string& why) {
        const Outcome outcome = regrove(words + more);
        EXPECT_THAT(outcome.code, testing::AnyOf(64, 78)) << more;
        EXPECT_THAT(outcome.err, HasSubstr(why)) << more;
    };
    refused("", "--vary is missing");
    refused("--vary max_dept=1,2", "did you mean 'max_depth'?");
    refused("--vary max_depth=1..4", "give --draws N");
    refused("--vary max_depth=4..1 --draws 2", "the first bound must be the smaller one");
    refused("--vary max_depth=0..4:log --draws 2", "above zero");
    refused("--vary max_depth=1,1", "given twice");
    refused("--vary max_depth=1 --vary max-depth=2", "given twice");
    refused("--vary oob=yes,no", "is for --method forest");
    refused("--vary trees=10,20 --early-stopping 3", "--early-stopping needs --valid");
    refused("--vary trees=10,20 --valid-share 0.2" + k_valid, "both give rows");
    EXPECT_FALSE(exists("t.csv"));
}

}  // namespace
}  // namespace regrove::test
