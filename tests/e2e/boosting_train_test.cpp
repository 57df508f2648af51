// Boosting through the binary: equal bytes on ranks and threads, going on where a run ended, validation, and what is refused.
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
const std::string k_train = "--data " + k_tables + "wdbc_train.csv --target diagnosis ";
const std::string k_test = k_tables + "wdbc_test.csv";

class BoostingCli : public CliTest {
  protected:
    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }
    model::Ensemble model(const std::string& name) const { return formats::parse_model(read(name), name); }

    /// Numbers of a CSV file's column; the first is 0.
    std::vector<double> column(const std::string& name, std::size_t place) const {
        std::istringstream text(read(name));
        std::vector<double> values;
        std::string line;
        std::getline(text, line);
        while (std::getline(text, line)) {
            std::istringstream cells(line);
            std::string cell;
            for (std::size_t i = 0; i <= place; ++i) std::getline(cells, cell, ',');
            values.push_back(cell.empty() ? NAN : std::stod(cell));
        }
        return values;
    }
};

TEST_F(BoostingCli, BytesAreEqualOnRanksAndThreads) {
    const std::string words =
        "train -q --method boosting --trees 6 --max-depth 3 --subsample 0.7 --colsample-bytree 0.5 "
        "--seed 5 --valid " +
        k_test + " " + k_train;
    ok(regrove(words + "--threads 1 --output one.json --learning-curve one.csv --summary s.json"));
    const auto alone = summary()["result"];
    EXPECT_EQ(alone["trees"], 6);
    ok(regrove(words + "--threads 2 --output two.json --learning-curve two.csv"));
    ok(regrove_on(2,
                  words + "--threads 1 --output ranks.json --learning-curve ranks.csv --summary s.json --overwrite"));
    EXPECT_EQ(summary()["result"], alone);
    for (const std::string name : {"two", "ranks"}) {
        EXPECT_TRUE(read(name + ".json") == read("one.json")) << name << ": models differ";
        EXPECT_TRUE(read(name + ".csv") == read("one.csv")) << name << ": curves differ";
    }
    const model::Ensemble made = model("one.json");
    EXPECT_EQ(made.combination, model::Combination::sum);
    EXPECT_EQ(made.link, model::Link::logistic);
    EXPECT_EQ(made.provenance.at("method"), "boosting");
    EXPECT_EQ(made.provenance.at("option.max_depth"), "3");
    EXPECT_EQ(made.provenance.at("seed"), "5");
}

TEST_F(BoostingCli, TwoRunsAreOneLongerRun) {
    const std::string words =
        "train -q --method boosting --max-depth 3 --subsample 0.6 --colsample-bynode 0.5 " + k_train;
    ok(regrove(words + "--trees 9 --output whole.json"));
    ok(regrove(words + "--trees 4 --output part.json"));
    ok(regrove(words + "--trees 5 --continue part.json --output rest.json"));
    EXPECT_TRUE(read("rest.json") == read("whole.json"));
    const Outcome other = regrove(words + "--trees 5 --learning-rate 0.3 --continue part.json --output no.json");
    EXPECT_EQ(other.code, 78);
    EXPECT_THAT(other.err, HasSubstr("option.learning_rate (0.1, now 0.3)"));
}

TEST_F(BoostingCli, StopsAtTheBestRoundOfTheValidationRows) {
    ok(regrove("train --method boosting --trees 400 --learning-rate 0.5 --early-stopping 5 --valid " + k_test + " " +
               k_train + "--output m.json --learning-curve c.csv,c.svg --summary s.json"));
    const auto result = summary()["result"];
    const std::uint64_t best = result["rounds"];
    EXPECT_EQ(result["metrics"]["name"], "log_loss");
    EXPECT_EQ(result["metrics"]["best_round"], best);
    EXPECT_EQ(result["rounds_grown"], best + 5);
    EXPECT_EQ(model("m.json").trees.size(), best);
    const auto validation = column("c.csv", 2);
    ASSERT_EQ(validation.size(), best + 5);
    for (const double value : validation) EXPECT_GE(value, validation[best - 1]);
    EXPECT_LT(column("c.csv", 1).back(), column("c.csv", 1).front()) << "the training metric falls";
    EXPECT_THAT(read("c.svg"), HasSubstr("<svg"));
    ok(regrove("evaluate --model m.json --data " + k_test +
               " --metrics log_loss,average_precision --summary e.json"));
    const auto evaluated = nlohmann::json::parse(read("e.json"))["result"];
    EXPECT_EQ(evaluated["log_loss"].get<double>(), validation[best - 1]) << "the same number by prediction";
    EXPECT_GT(evaluated["average_precision"].get<double>(), 0.97);
}

TEST_F(BoostingCli, PutsRowsAside) {
    const std::string words =
        "train -q --method boosting --trees 50 --learning-rate 0.6 --early-stopping 3 "
        "--valid-share 0.3 --metric auc " +
        k_train;
    ok(regrove(words + "--output m.json --summary s.json"));
    const auto result = summary()["result"];
    EXPECT_EQ(result["metrics"]["name"], "roc_auc");
    const double rows = result["rows"];
    const auto all = static_cast<double>(column(k_tables + "wdbc_train.csv", 0).size());
    EXPECT_NEAR(rows / all, 0.7, 0.08);
    ok(regrove_on(3, words + "--output ranks.json"));
    EXPECT_TRUE(read("ranks.json") == read("m.json"));
}

/// A table of ranked groups of uneven size whose validation rows must be whole groups.
TEST_F(BoostingCli, PutsWholeGroupsAside) {
    std::string text;
    for (int group = 0; group < 40; ++group)
        for (int row = 0; row < 3 + group % 5; ++row)
            text += std::to_string((group * 7 + row * 3) % 4) + " qid:" + std::to_string(group) +
                    " 0:" + std::to_string((group * 7 + row * 3) % 4 + (group + row) % 2) +
                    " 1:" + std::to_string(group) + "\n";
    write("ranked.txt", text);
    const std::string words =
        "train -q --method boosting --objective lambdamart --min-child-weight 0 --trees 20 --early-stopping 20 "
        "--data "
        "ranked.txt --valid-share 0.4 --seed 3 --overwrite ";
    ok(regrove(words + "--output m.json --summary s.json --learning-curve c.json"));
    const auto result = summary()["result"];
    EXPECT_EQ(result["metrics"]["name"], "ndcg");
    const auto alone = nlohmann::json::parse(read("c.json"));
    for (const int ranks : {2, 4}) {
        ok(regrove_on(ranks, words + "--output ranks.json --learning-curve ranks_curve.json"));
        EXPECT_TRUE(read("ranks.json") == read("m.json")) << ranks;
        EXPECT_EQ(nlohmann::json::parse(read("ranks_curve.json")), alone) << ranks;
    }
    const double rows = result["rows"];
    EXPECT_GT(rows, 60);
    EXPECT_LT(rows, 180);
}

TEST_F(BoostingCli, TellsTheLearningCurveAsJson) {
    ok(regrove("train -q --method boosting --trees 7 --learning-rate 0.5 --valid " + k_test + " " + k_train +
               "--output m.json --learning-curve c.json,c.csv"));
    const auto curve = nlohmann::json::parse(read("c.json"));
    EXPECT_EQ(curve["metric"], "log_loss");
    EXPECT_EQ(curve["larger_is_better"], false);
    ASSERT_EQ(curve["points"].size(), 7U);
    const auto training = column("c.csv", 1);
    const auto validation = column("c.csv", 2);
    std::size_t best = 0;
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(curve["points"][i]["round"], i + 1);
        EXPECT_EQ(curve["points"][i]["training"].get<double>(), training[i]);
        EXPECT_EQ(curve["points"][i]["validation"].get<double>(), validation[i]);
        if (validation[i] < validation[best]) best = i;
    }
    EXPECT_EQ(curve["best_round"], best + 1);
    ok(regrove("train -q --method boosting --trees 2 " + k_train + "--output n.json --learning-curve n_curve.json"));
    const auto bare = nlohmann::json::parse(read("n_curve.json"));
    EXPECT_TRUE(bare["points"][1]["validation"].is_null());
    EXPECT_FALSE(bare.contains("best_round"));
}

/// A model of an earlier version lacks options that came later.
TEST_F(BoostingCli, GoesOnFromModelsThatDoNotKnowALaterOption) {
    ok(regrove("train -q --method boosting --trees 3 " + k_train + "--output m.json"));
    std::string text = read("m.json");
    const auto begin = text.find("\"option.initial_score\"");
    ASSERT_NE(begin, std::string::npos);
    text.erase(begin, text.find('\n', begin) + 1 - begin);
    write("old.json", text);
    ok(regrove("train -q --method boosting --trees 2 --continue old.json " + k_train + "--output more.json"));
    const Outcome other =
        regrove("train -q --method boosting --trees 2 --continue old.json --initial-score mean_radius " + k_train +
                "--output no.json");
    EXPECT_EQ(other.code, 78);
    EXPECT_THAT(other.err,
                HasSubstr("option.initial_score (no such option when the model was made, now mean_radius)"));
}

TEST_F(BoostingCli, MarginsProbabilitiesAndClassesAgree) {
    ok(regrove("train -q --method boosting --trees 5 " + k_train + "--output m.json"));
    for (const std::string kind : {"raw", "probability", "class"})
        ok(regrove("predict -q --model m.json --data " + k_test + " --kind " + kind + " --output " + kind + ".csv"));
    EXPECT_THAT(read("raw.csv"), testing::StartsWith("raw\n"));
    const auto raw = column("raw.csv", 0);
    const auto probability = column("probability.csv", 1);
    std::istringstream classes(read("class.csv"));
    std::string line;
    std::getline(classes, line);
    const std::vector<std::string> names = model("m.json").classes;
    ASSERT_EQ(raw.size(), probability.size());
    for (std::size_t row = 0; row < raw.size(); ++row) {
        std::getline(classes, line);
        EXPECT_EQ(line, names[raw[row] > 0 ? 1 : 0]);
        EXPECT_NEAR(probability[row], 1 / (1 + std::exp(-raw[row])), 1e-15);
    }
}

TEST_F(BoostingCli, EveryObjectiveLearns) {
    for (const std::string objective :
         {"squared-error", "absolute-error", "huber", "quantile", "poisson", "gamma", "tweedie"}) {
        SCOPED_TRACE(objective);
        ok(regrove("train -q --method boosting --trees 20 --max-depth 3 --learning-rate 0.3 --objective " +
                   objective + " --data " + k_tables + "wdbc_train.csv --target mean_radius --valid " + k_tables +
                   "wdbc_test.csv --learning-curve c.csv --overwrite --output m.json"));
        for (const std::size_t place : {1, 2}) {
            const auto curve = column("c.csv", place);
            EXPECT_LT(curve.back(), 0.6 * curve.front()) << place;
        }
        ok(regrove("evaluate --model m.json --data " + k_tables +
                   "wdbc_test.csv --target mean_radius --metrics r2 --summary e.json --overwrite"));
        EXPECT_GT(nlohmann::json::parse(read("e.json"))["result"]["r2"].get<double>(), 0.9);
    }
}

TEST_F(BoostingCli, RankingIsEvaluatedByWholeGroupsOnAnyRanks) {
    // A tree that answers with its one feature, so that the scores below are known.
    write("scores.txt", "1 0:1\n2 0:2\n3 0:3\n4 0:4\n");
    ok(regrove("train -q --objective squared_error --data scores.txt --output m.json"));
    write("ranked.txt",
          "3 qid:1 0:1\n0 qid:1 0:3\n1 qid:1 0:2\n"  // places by score: relevances 0, 1, 3
          "1 qid:2 0:2\n0 qid:2 0:2\n"               // a tie
          "0 qid:3 0:1\n0 qid:3 0:4\n");             // nothing relevant: counts as 1
    const double second = 1 / std::log2(3.0);
    const double all = (((second + 7 * 0.5) / (7 + second)) + (1 + second) / 2 + 1) / 3;
    const double first = (0 + 0.5 + 1) / 3;
    for (const int ranks : {1, 2, 4}) {
        SCOPED_TRACE(ranks);
        ok(regrove_on(ranks,
                      "evaluate -q --model m.json --data ranked.txt --metrics ndcg,ndcg@1,rmse "
                      "--summary s.json --overwrite"));
        EXPECT_NEAR(summary()["result"]["ndcg"].get<double>(), all, 1e-14);
        EXPECT_NEAR(summary()["result"]["ndcg@1"].get<double>(), first, 1e-14);
    }
    const Outcome none = regrove("evaluate -q --model m.json --data scores.txt --metrics ndcg");
    EXPECT_EQ(none.code, 65);
    EXPECT_THAT(none.err, HasSubstr("group column"));
    const Outcome folds =
        regrove("crossvalidate -q --objective squared_error --data ranked.txt --folds 2 --metrics ndcg");
    EXPECT_EQ(folds.code, 78);
    EXPECT_THAT(folds.err, HasSubstr("group column"));
}

TEST_F(BoostingCli, BornAgainTreesAreFaithfulToBoostedModels) {
    ok(regrove("train -q --method boosting --trees 4 --max-depth 2 --learning-rate 0.5 " + k_train +
               "--output m.json"));
    ok(regrove("reborn -q --model m.json --objective depth --output t.json"));
    ok(regrove("verify m.json t.json --what class"));
    ok(regrove("draw --model m.json --tree 3 --output tree.svg"));
    EXPECT_THAT(read("tree.svg"), HasSubstr("Boosted tree for diagnosis"));
    ok(regrove("explain --model m.json --output importance.csv"));
}

TEST_F(BoostingCli, TakesPartInCrossValidation) {
    ok(regrove("crossvalidate -q --method boosting --trees 10 --folds 3 --data " + k_tables +
               "wdbc.csv --target diagnosis --metrics accuracy --output folds.csv --summary s.json"));
    EXPECT_THAT(read("folds.csv"), testing::StartsWith("repeat,fold,row,truth,class,probability_benign"));
}

TEST_F(BoostingCli, RefusesWhatCannotBe) {
    const auto refused = [&](const std::string& words, int code, const std::string& message) {
        const Outcome outcome = regrove("train " + k_train + words + " --output no.json");
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(message)) << words;
        EXPECT_FALSE(exists("no.json")) << words;
    };
    const std::string boosting = "--method boosting --trees 2 ";
    refused("--learning-rate 0.3", 78, "--learning-rate is for --method boosting, and the method is cart");
    refused("--trees 9", 78, "--trees is for --method forest or --method boosting");
    refused("--valid " + k_test, 78, "--valid is for --method boosting");
    refused("--method forest --learning-curve c.csv", 78, "--learning-curve is for --method boosting");
    refused("--grow symmetric", 78, "symmetric");
    refused(boosting + "--grow best-first", 78, "best-first");
    refused("--objective poisson", 78, "poisson");
    refused(boosting + "--objective hinge", 78, "no objective 'hinge'; there are: auto, squared-error");
    refused(boosting + "--objective poisson", 65, "");
    refused(boosting + "--min-gain 0.1", 78, "--min-gain is for --method cart or --method forest");
    refused(boosting + "--early-stopping 3", 78, "--early-stopping needs validation rows");
    refused(boosting + "--valid-share 0.2 --valid " + k_test, 78, "--valid and --valid-share");
    refused(boosting + "--metric auc", 78, "--metric watches validation rows");
    refused(boosting + "--valid-share 0.2 --metric rmse", 78, "no metric 'rmse' for classification");
    refused(boosting + "--valid " + k_tables + "golf_players_14.csv", 78, "diagnosis");
}

}  // namespace
}  // namespace regrove::test
