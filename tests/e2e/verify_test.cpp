// Proofs from the command line: exit codes, the account of what was found, limits, and models of several formats.
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "regrove/formats/registry.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// x_feature <= threshold ? left : right
std::string stump(int features, int feature, const std::string& threshold, int left = 0, int right = 1) {
    return "DATASET_NAME: none\nENSEMBLE: RF\nNB_TREES: 1\nNB_FEATURES: " + std::to_string(features) +
           "\nNB_CLASSES: 2\nMAX_TREE_DEPTH: 1\nFormat: -\n\n[TREE 0]\nNB_NODES: 3\n0 IN 1 2 " +
           std::to_string(feature) + " " + threshold + " 0 -1\n1 LN -1 -1 -1 -1 1 " + std::to_string(left) +
           "\n2 LN -1 -1 -1 -1 1 " + std::to_string(right) + "\n";
}

class VerifyTest : public CliTest {
  protected:
    static std::string forest(const std::string& set, int fold) {
        return std::string(REGROVE_TEST_DATA) + "/ba_trees/forests/" + set + "/" + set + ".RF" +
               std::to_string(fold) + ".txt";
    }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }
    Outcome verify(const std::string& words) const {
        return regrove("verify " + words + " --summary s.json --overwrite");
    }

    /// The votes of 61 trees that each ask for a feature of their own, and the same votes counted twice: equal, but far
    /// from any proof.
    void write_hard_pair() const {
        model::Ensemble all = formats::parse_model(stump(61, 0, "5"), "stump");
        for (int f = 1; f < 61; ++f) all.trees.push_back(formats::parse_model(stump(61, f, "5"), "stump").trees[0]);
        write("hard.json", formats::write_model(all));
        all.tree_weights.assign(all.trees.size(), 2);
        write("twice.json", formats::write_model(all));
    }
};

TEST_F(VerifyTest, AModelIsEqualToItself) {
    const Outcome same = verify(forest("Seeds", 1) + " " + forest("Seeds", 1));
    EXPECT_EQ(same.code, 0) << same.err;
    EXPECT_THAT(same.out, HasSubstr("yes, everywhere"));
    EXPECT_EQ(summary()["result"], nlohmann::json::parse(R"({"equal": true, "decided": true, "boxes": 0})"));
    EXPECT_EQ(summary()["read"].size(), 1U) << "one file, twice";
}

/// The point is one where prediction says what the summary says.
TEST_F(VerifyTest, DifferentModelsDifferAtThePointShown) {
    const std::string first = forest("Seeds", 1);
    const std::string second = forest("Seeds", 2);
    const Outcome different = verify(first + " " + second);
    EXPECT_EQ(different.code, 1);
    EXPECT_EQ(different.err, "");
    EXPECT_THAT(different.out, AllOf(HasSubstr("equal in class"), HasSubstr("they differ at"), HasSubstr("f0 = ")));
    const auto account = summary();
    EXPECT_EQ(account["exit_code"], 1);
    EXPECT_FALSE(account.contains("error"));
    const auto& result = account["result"];
    EXPECT_EQ(result["equal"], false);
    EXPECT_EQ(result["decided"], true);
    std::string names;
    std::string values;
    for (int f = 0; f < 7; ++f) {
        const std::string name = "f" + std::to_string(f);
        names += (f == 0 ? "" : ",") + name;
        values += (f == 0 ? "" : ",") + result["point"].value(name, "0");
    }
    write("point.csv", names + "\n" + values + "\n");
    for (const auto& [model, expected] : {std::pair(first, "first_class"), std::pair(second, "second_class")}) {
        const Outcome predicted = regrove("predict --model " + model + " --data point.csv -o - -q");
        EXPECT_EQ(predicted.out, "class\n" + result[expected].get<std::string>() + "\n") << predicted.err;
    }
    EXPECT_NE(result["first_class"], result["second_class"]);
}

TEST_F(VerifyTest, TheSameOnTwoRanksAndAnyThreads) {
    const std::string models = forest("Pima-Diabetes", 3) + " " + forest("Pima-Diabetes", 4);
    verify(models + " -j 1");
    const auto alone = summary()["result"];
    verify(models + " -j 3");
    EXPECT_EQ(summary()["result"], alone);
    EXPECT_EQ(regrove_on(2, "verify " + models + " --summary s.json --overwrite").code, 1);
    EXPECT_EQ(summary()["result"], alone);
}

TEST_F(VerifyTest, BudgetsAndTimeLimitsLeaveItUndecided) {
    write_hard_pair();
    const Outcome budget = verify("hard.json twice.json --max-boxes 1000");
    EXPECT_EQ(budget.code, 69);
    EXPECT_THAT(budget.out, HasSubstr("undecided"));
    EXPECT_EQ(summary()["result"], nlohmann::json::parse(R"({"equal": null, "decided": false, "boxes": 1000})"));
    EXPECT_EQ(summary()["exit_code"], 69);
    const Outcome time = verify("hard.json twice.json --time-limit 2");
    EXPECT_EQ(time.code, 69);
    EXPECT_EQ(summary()["result"]["decided"], false);
    EXPECT_LT(summary()["seconds"]["total"], 10);
}

TEST_F(VerifyTest, ASignalStopsItUndecided) {
    write_hard_pair();
    const pid_t child = start("exec \"$REGROVE\" verify hard.json twice.json --summary s.json --progress off");
    std::this_thread::sleep_for(std::chrono::seconds(2));
    kill(child, SIGUSR1);
    EXPECT_EQ(wait_for(child).code, 69);
    EXPECT_EQ(summary()["result"]["decided"], false);
}

TEST_F(VerifyTest, ModelsThatDoNotFitAreRefused) {
    write("one.txt", stump(1, 0, "5"));
    write("two.txt", stump(2, 1, "5"));
    write("seven.txt", stump(7, 0, "5"));
    const Outcome features = verify("one.txt two.txt");
    EXPECT_EQ(features.code, 65);
    EXPECT_THAT(features.err, HasSubstr("two.txt asks for 'f1', which one.txt does not know"));
    const Outcome classes = verify(forest("Seeds", 1) + " seven.txt");
    EXPECT_EQ(classes.code, 65);
    EXPECT_THAT(classes.err, HasSubstr("are '0', '1', '2', those of seven.txt '0', '1'"));
    EXPECT_EQ(verify("one.txt").code, 64);
    EXPECT_EQ(verify("one.txt one.txt --support rows").code, 78);
    EXPECT_EQ(verify("one.txt one.txt --data one.txt").code, 78);
    EXPECT_EQ(verify("one.txt none.txt").code, 74);
}

/// A tree that was trained on named columns against one whose file knows places only.
TEST_F(VerifyTest, NamesAndPlaces) {
    write("t.csv", "height,width,y\n1,1,0\n2,9,0\n3,2,1\n4,8,1\n");
    ASSERT_EQ(regrove("train --method cart --data t.csv --target y -o named.json").code, 0);
    write("same.txt", stump(2, 0, "2.5"));
    write("close.txt", stump(2, 0, "2.6"));
    EXPECT_EQ(verify("named.json same.txt").code, 0);
    const Outcome different = verify("close.txt named.json");
    EXPECT_EQ(different.code, 1);
    EXPECT_EQ(summary()["result"]["point"], nlohmann::json::parse(R"({"height": "2.55"})"));
    EXPECT_EQ(summary()["result"]["first_class"], "0");
    EXPECT_EQ(summary()["result"]["second_class"], "1");
    write("three.txt", stump(3, 0, "2.5"));
    EXPECT_THAT(verify("named.json three.txt").err, HasSubstr("knows its 3 features by their place only"));
}

TEST_F(VerifyTest, WhereRowsLie) {
    write("five.txt", stump(1, 0, "5"));
    write("seven.txt", stump(1, 0, "7"));
    write("around.csv", "x\n1\n2\n9\n");
    write("below.csv", "x\n1\n2\n");
    const std::string models = "five.txt seven.txt";
    EXPECT_EQ(verify(models).code, 1);
    EXPECT_EQ(summary()["result"]["point"]["f0"], "6");
    const Outcome rows = verify(models + " --support rows --data around.csv");
    EXPECT_EQ(rows.code, 0) << rows.err;
    EXPECT_THAT(rows.out, HasSubstr("yes, in the cells of the table's rows"));
    EXPECT_EQ(summary()["details"]["cells_with_rows"], 2);
    EXPECT_EQ(verify(models + " --support range --data around.csv").code, 1);
    const Outcome range = verify(models + " --support range --data below.csv");
    EXPECT_EQ(range.code, 0) << range.err;
    EXPECT_THAT(range.out, HasSubstr("within the ranges"));
}

/// Missing values that no training row had are part of the space only when asked for.
TEST_F(VerifyTest, UnseenValues) {
    write("t.csv", "x,y\n1,0\n2,0\n2,0\n3,1\n");
    ASSERT_EQ(regrove("train --method cart --data t.csv --target y -o named.json").code, 0);
    write("places.txt", stump(1, 0, "2.5"));  // missing values go right, in the trained tree to the heavier side
    EXPECT_EQ(verify("named.json places.txt").code, 0);
    EXPECT_EQ(verify("named.json places.txt --unseen inside").code, 1);
    EXPECT_EQ(summary()["result"]["point"], nlohmann::json::parse(R"({"x": "missing"})"));
}

TEST_F(VerifyTest, AStageThatFindsADifferenceEndsTheRun) {
    write("five.txt", stump(1, 0, "5"));
    write("seven.txt", stump(1, 0, "7"));
    const std::string stage = "[[stage]]\njob = \"verify\"\nname = \"check\"\nfirst = \"" + folder_.string() +
                              "/five.txt\"\nsecond = \"" + folder_.string() + "/";
    write("same.toml", stage + "five.txt\"\n");
    write("other.toml", stage + "seven.txt\"\n");
    const Outcome same = regrove("run same.toml");
    EXPECT_EQ(same.code, 0) << same.err;
    const Outcome other = regrove("run other.toml");
    EXPECT_EQ(other.code, 1);
    EXPECT_THAT(other.err, AllOf(HasSubstr("stage 'check': "), HasSubstr("seven.txt differ")));
}

}  // namespace
}  // namespace regrove::test
