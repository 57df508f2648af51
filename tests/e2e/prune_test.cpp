// The job prune through the binary: the path, alpha by hand and by trials, errors on other rows, on ranks, and what it
// refuses.
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
const std::string k_prune = std::string(REGROVE_TEST_DATA) + "/prune/";

class PruneCli : public CliTest {
  protected:
    void train(const std::string& words, const std::string& output) const {
        const Outcome done = regrove("train -q " + words + " --output " + output);
        ASSERT_EQ(done.code, 0) << done.err;
    }
    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }
    nlohmann::json result() const { return nlohmann::json::parse(read("s.json")).at("result"); }
    model::Ensemble model(const std::string& name) const { return formats::parse_model(read(name), name); }
    std::vector<std::vector<std::string>> csv(const std::string& name) const {
        std::vector<std::vector<std::string>> rows;
        std::istringstream text(read(name));
        for (std::string line; std::getline(text, line);) {
            auto& row = rows.emplace_back();
            std::istringstream cells(line);
            for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
        }
        return rows;
    }
};

TEST_F(PruneCli, ThePathOfAnotherLibrarysTree) {
    const Outcome shown = regrove("prune --model " + k_prune + "wdbc_tree.json --path p.csv --picture p.svg");
    ok(shown);
    EXPECT_THAT(shown.out, HasSubstr("22 leaves, impurity 0"));
    const auto rows = csv("p.csv");
    ASSERT_EQ(rows.size(), 15U);
    EXPECT_EQ(rows[0], (std::vector<std::string>{"alpha", "leaves", "impurity", "cuts"}));
    EXPECT_EQ(rows[1], (std::vector<std::string>{"0", "22", "0", "0"}));
    EXPECT_EQ(rows[2], (std::vector<std::string>{"0.0017464506283365669", "18", "0.0069858025133462676", "1"}));
    EXPECT_THAT(read("p.svg"), HasSubstr("Cost-complexity path"));
    EXPECT_FALSE(exists("-"));
}

TEST_F(PruneCli, AlphaByHandAndTheModelItLeaves) {
    ok(regrove("prune --model " + k_prune + "wdbc_tree.json --ccp-alpha 0.005 --output p.json --summary s.json"));
    EXPECT_EQ(result().at("leaves_before"), 22);
    EXPECT_EQ(result().at("leaves_after"), 7);
    EXPECT_EQ(result().at("alpha"), 0.005);
    EXPECT_NEAR(result().at("impurity"), 0.03954939732035741, 1e-15);
    const model::Ensemble pruned = model("p.json");
    EXPECT_EQ(pruned.trees[0].leaf_count(), 7U);
    EXPECT_EQ(pruned.provenance.at("prune.ccp_alpha"), "0.005");
    ok(regrove("evaluate --model p.json --data " + k_tables + "wdbc.csv --target diagnosis --metrics accuracy"));
}

TEST_F(PruneCli, TrialsChooseAlphaTheSameOnAnyNumberOfRanks) {
    train("--data " + k_tables + "wdbc.csv --target diagnosis", "tree.json");
    const std::string words = "prune --model tree.json --data " + k_tables + "wdbc.csv --choose cv --seed 3";
    ok(regrove(words + " --output p1.json --path p1.csv --picture p1.svg --summary s.json"));
    for (const int ranks : {2, 3, 4}) {
        const std::string n = std::to_string(ranks);
        ok(regrove_on(ranks, words + " --output p" + n + ".json --path p" + n + ".csv --picture p" + n + ".svg"));
        EXPECT_TRUE(read("p" + n + ".json") == read("p1.json")) << "bytes differ";
        EXPECT_TRUE(read("p" + n + ".csv") == read("p1.csv")) << "bytes differ";
        EXPECT_TRUE(read("p" + n + ".svg") == read("p1.svg")) << "bytes differ";
    }
    const auto rows = csv("p1.csv");
    ASSERT_EQ(rows.size(), 15U);
    double least = 1;
    double limit = 1;
    std::size_t simplest = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const double mean = std::stod(rows[i][5]);
        EXPECT_NEAR(std::stod(rows[i][6]), std::sqrt(mean * (1 - mean) / 569), 1e-14);
        if (mean > least) continue;
        least = mean;
        limit = mean + std::stod(rows[i][6]);
    }
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (std::stod(rows[i][5]) <= limit) simplest = i;
    EXPECT_LT(least, 0.1);
    EXPECT_EQ(rows[simplest][7], "1");
    EXPECT_EQ(std::to_string(result().at("leaves_after").get<int>()), rows[simplest][1]);
    EXPECT_EQ(std::to_string(model("p1.json").trees[0].leaf_count()), rows[simplest][1]);
    // The alpha reported prunes to the same model by hand.
    std::ostringstream alpha;
    alpha.precision(17);
    alpha << result().at("alpha").get<double>();
    ok(regrove("prune --model tree.json --ccp-alpha " + alpha.str() + " --output hand.json"));
    EXPECT_TRUE(model("hand.json").trees == model("p1.json").trees);
}

TEST_F(PruneCli, RegressionTrialsAreMeanSquaredErrors) {
    train("--data " + k_prune + "diabetes.csv --target progression --criterion squared_error", "tree.json");
    const std::string words = "prune --model tree.json --data " + k_prune + "diabetes.csv --choose cv --folds 5";
    ok(regrove(words + " --rule minimum --output p1.json --summary s.json"));
    ok(regrove_on(3, words + " --rule minimum --output p3.json"));
    EXPECT_TRUE(read("p3.json") == read("p1.json")) << "bytes differ";
    EXPECT_EQ(result().at("cv_mean"), result().at("cv_least_mean"));
    EXPECT_GT(result().at("cv_mean"), 2500);
    EXPECT_LT(result().at("cv_mean"), 5000);
    EXPECT_GT(result().at("cv_mean_unpruned"), 5000);
    const int by_minimum = result().at("leaves_after");
    ok(regrove(words + " --path p.csv --summary s.json --overwrite"));
    EXPECT_LE(result().at("leaves_after"), by_minimum);
}

TEST_F(PruneCli, ReducedErrorsTheSameOnAnyNumberOfRanks) {
    train("--data " + k_tables + "wdbc_train.csv --target diagnosis", "tree.json");
    const std::string words = "prune --method reduced-error --model tree.json --valid " + k_tables + "wdbc_test.csv";
    ok(regrove(words + " --output p1.json --summary s.json"));
    for (const int ranks : {2, 4}) {
        const std::string name = "p" + std::to_string(ranks) + ".json";
        ok(regrove_on(ranks, words + " --output " + name));
        EXPECT_TRUE(read(name) == read("p1.json")) << "bytes differ";
    }
    const nlohmann::json reduced = result();
    EXPECT_LT(reduced.at("leaves_after"), reduced.at("leaves_before"));
    EXPECT_EQ(reduced.at("validation_rows"), 171);
    ok(regrove("evaluate --model p1.json --data " + k_tables +
               "wdbc_test.csv --target diagnosis --metrics accuracy --summary s.json --overwrite"));
    EXPECT_NEAR(result().at("accuracy"), 1 - reduced.at("errors_after").get<double>() / 171, 1e-12);
}

TEST_F(PruneCli, ForestsArePrunedTreeByTree) {
    train("--method forest --trees 4 --data " + k_tables + "wdbc_train.csv --target diagnosis", "forest.json");
    ok(regrove("prune --model forest.json --ccp-alpha 0.01 --output p.json --path p.csv --summary s.json"));
    EXPECT_EQ(model("p.json").trees.size(), 4U);
    const auto rows = csv("p.csv");
    int leaves = 0;
    for (std::size_t i = 1; i < rows.size(); ++i)
        if (std::stod(rows[i][0]) <= 0.01) leaves = std::stoi(rows[i][1]);
    EXPECT_EQ(result().at("leaves_after"), leaves);
    const std::string cv = "prune --model forest.json --data " + k_tables + "wdbc_train.csv --choose cv --folds 3";
    ok(regrove(cv + " --output c1.json"));
    ok(regrove_on(2, cv + " --output c2.json"));
    EXPECT_TRUE(read("c1.json") == read("c2.json")) << "bytes differ";
}

TEST_F(PruneCli, RefusesWhatCannotBe) {
    const std::string tree = "prune --model " + k_prune + "wdbc_tree.json ";
    const auto refused = [&](const std::string& words, int code, const std::string& message) {
        const Outcome outcome = regrove(tree + words);
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(message)) << words;
        EXPECT_FALSE(exists("p.json")) << words;
    };
    refused("--output p.json", 64, "give --ccp-alpha X or --choose cv");
    refused("--ccp-alpha 0.1", 64, "--output is missing");
    refused("--ccp-alpha -1 --output p.json", 78, "no number of at least 0");
    refused("--choose alpha --output p.json", 64, "needs --ccp-alpha");
    refused("--choose cv --output p.json", 64, "--data is missing");
    refused("--choose cv --output p.json --data " + k_tables + "wdbc.csv --target diagnosis", 78,
            "cannot be trained again");
    refused("--method reduced-error --output p.json", 64, "--valid is missing");
    refused("--valid x.csv --output p.json", 64, "belongs to --method reduced-error");
    refused("--picture path.dot", 78, "cannot hold a chart");
    write("path.csv", "mine");
    refused("--path path.csv", 73, "path.csv");
    EXPECT_EQ(read("path.csv"), "mine");
}

}  // namespace
}  // namespace regrove::test
