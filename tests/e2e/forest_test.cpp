// Forests through the binary: equal bytes however they are spread, out-of-bag answers, votes, and what train refuses.
#include <algorithm>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "regrove/formats/registry.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

const std::string k_tables = std::string(REGROVE_TEST_DATA) + "/tables/";
const std::string k_wdbc = "--data " + k_tables + "wdbc.csv --target diagnosis";

class ForestCli : public CliTest {
  protected:
    using Rows = std::vector<std::map<std::string, std::string>>;

    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }
    model::Ensemble model(const std::string& name) const { return formats::parse_model(read(name), name); }

    static std::vector<std::string> cells(const std::string& line) {
        std::vector<std::string> cells(1);
        for (const char c : line) {
            if (c == ',') {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
        return cells;
    }
    /// A CSV file's rows by the names of its columns.
    Rows csv(const std::string& name) const {
        std::istringstream text(read(name));
        std::string line;
        std::getline(text, line);
        const auto names = cells(line);
        Rows rows;
        while (std::getline(text, line)) {
            const auto values = cells(line);
            EXPECT_EQ(values.size(), names.size()) << line;
            auto& row = rows.emplace_back();
            for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) row[names[i]] = values[i];
        }
        return rows;
    }
    /// wdbc.csv with a column that names its rows, and its labels in order.
    std::vector<std::string> ingest_named_patients() const {
        std::istringstream text(read_text(k_tables + "wdbc.csv"));
        std::string named;
        std::vector<std::string> labels;
        for (std::string line; std::getline(text, line);) {
            const std::size_t row = labels.size();
            named += (row == 0 ? "patient" : "p" + std::to_string(row)) + "," + line + "\n";
            labels.push_back(line.substr(line.find_last_of(',') + 1));
        }
        write("named.csv", named);
        ok(regrove("ingest -q --input named.csv --id patient --target diagnosis --output named.h5"));
        labels.erase(labels.begin());
        return labels;
    }
};

TEST_F(ForestCli, BytesAreEqualHoweverTheForestIsSpread) {
    const std::string words =
        "train -q --method forest --trees 5 --seed 3 --vote majority " + k_wdbc + " --oob-predictions ";
    ok(regrove(words + "one.csv --output one.json --spread trees --threads 1 --summary s.json"));
    const auto alone = summary()["result"];
    for (const std::string name : {"rows1", "trees2", "rows2", "auto2"}) {
        SCOPED_TRACE(name);
        const std::string spread = name.substr(0, name.size() - 1);
        const std::string all_words = words + name + ".csv --output " + name + ".json --spread " + spread +
                                      " --threads 2 --summary s.json --overwrite";
        ok(name.back() == '1' ? regrove(all_words) : regrove_on(2, all_words));
        EXPECT_TRUE(read(name + ".json") == read("one.json")) << "models differ";
        EXPECT_TRUE(read(name + ".csv") == read("one.csv")) << "out-of-bag answers differ";
        EXPECT_EQ(summary()["result"], alone);
    }
    ok(regrove("train -q --method forest --trees 5 --seed 4 " + k_wdbc + " --output other.json"));
    EXPECT_NE(model("other.json").trees, model("one.json").trees);
}

TEST_F(ForestCli, OutOfBagAnswersAreATableAndAScore) {
    const auto labels = ingest_named_patients();
    ok(
        regrove("train -q --method forest --trees 5 --data named.h5 --output f.json --oob-predictions o.csv "
                "--summary s.json"));
    EXPECT_EQ(read("o.csv").substr(0, 64), "patient,trees,class,probability_benign,probability_malignant\np1,");
    const Rows rows = csv("o.csv");
    ASSERT_EQ(rows.size(), 569U);
    std::size_t answered = 0;
    std::size_t right = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        EXPECT_EQ(row.at("patient"), "p" + std::to_string(i + 1));
        const int trees = std::stoi(row.at("trees"));
        EXPECT_LE(trees, 5);
        EXPECT_EQ(row.at("class").empty(), trees == 0);
        EXPECT_EQ(row.at("probability_benign").empty(), trees == 0);
        EXPECT_EQ(row.at("probability_malignant").empty(), trees == 0);
        if (trees == 0) continue;
        const double benign = std::stod(row.at("probability_benign"));
        const double malignant = std::stod(row.at("probability_malignant"));
        EXPECT_NEAR(benign + malignant, 1, 1e-15);
        EXPECT_EQ(row.at("class"), malignant > benign ? "malignant" : "benign");
        ++answered;
        right += row.at("class") == labels[i] ? 1 : 0;
    }
    // A tree leaves out a row with chance 1/e: all five draw it for about 569 * (1 - 1/e)^5 = 57 of them.
    EXPECT_NEAR(static_cast<double>(569 - answered), 57, 25);
    const auto result = summary()["result"];
    EXPECT_EQ(result["trees"], 5);
    EXPECT_EQ(result["rows"], 569);
    EXPECT_EQ(result["features"], 30);
    EXPECT_EQ(result["out_of_bag"]["rows"], answered);
    EXPECT_NEAR(result["out_of_bag"]["accuracy"], static_cast<double>(right) / static_cast<double>(answered), 1e-15);
    EXPECT_GT(result["out_of_bag"]["accuracy"], 0.85);
    EXPECT_LT(result["out_of_bag"]["accuracy"], 0.99);
    std::size_t leaves = 0;
    for (const auto& tree : model("f.json").trees) leaves += tree.leaf_count();
    EXPECT_EQ(result["leaves"], leaves);
    std::vector<std::string> written;
    const auto files = summary()["written"];
    for (const auto& file : files) written.push_back(file["path"]);
    EXPECT_THAT(written, testing::UnorderedElementsAre("o.csv", "f.json"));
    // --oob alone scores the same and writes no table.
    ok(regrove("train --method forest --trees 5 --data named.h5 --output g.json --oob --summary s.json --overwrite"));
    EXPECT_EQ(summary()["result"], result);
    EXPECT_TRUE(read("g.json") == read("f.json")) << "bytes differ";
}

TEST_F(ForestCli, TheModelSaysHowItWasMade) {
    ok(
        regrove("train -q --method forest --trees 2 --max-features p/2 --subsample 0.5 --max-depth 3 --seed 11 "
                "--vote majority --spread rows " +
                k_wdbc + " --output f.json"));
    const auto provenance = model("f.json").provenance;
    EXPECT_EQ(provenance.at("method"), "forest");
    EXPECT_EQ(provenance.at("seed"), "11");
    EXPECT_EQ(provenance.at("option.trees"), "2");
    EXPECT_EQ(provenance.at("option.max_features"), "p/2");
    EXPECT_EQ(provenance.at("option.subsample"), "0.5");
    EXPECT_EQ(provenance.at("option.max_depth"), "3");
    EXPECT_EQ(provenance.at("option.vote"), "majority");
    EXPECT_EQ(provenance.at("data_content_hash").size(), 32U);
    EXPECT_FALSE(provenance.contains("option.spread"));
    EXPECT_EQ(model("f.json").combination, model::Combination::majority);
    for (const auto& tree : model("f.json").trees) {
        EXPECT_LE(tree.depth(), 3U);
        EXPECT_EQ(tree.nodes[0].weight, 285) << "half of the rows, some of them drawn more than once";
        EXPECT_LT(tree.nodes[0].rows, 285U);
    }
}

/// The class by a count of the leaves that predict itself names.
TEST_F(ForestCli, AMajorityOfVotesIsPredictedAndEvaluated) {
    ok(regrove("train -q --method forest --trees 4 --max-depth 2 --max-features 3 --vote majority --data " +
               k_tables + "wdbc_train.csv --target diagnosis --output f.json"));
    const std::string data = " --model f.json --data " + k_tables + "wdbc_test.csv";
    ok(regrove("predict -q --output class.csv" + data));
    ok(regrove("predict -q --kind probability --output probability.csv" + data));
    ok(regrove_on(2, "predict -q --kind leaf --output leaf.csv" + data));
    ok(regrove("evaluate -q --metrics accuracy --target diagnosis --summary s.json" + data));
    const auto forest = model("f.json");
    const Rows classes = csv("class.csv");
    const Rows shares = csv("probability.csv");
    const Rows leaves = csv("leaf.csv");
    const Rows truth = [&] {
        write("truth.csv", read_text(k_tables + "wdbc_test.csv"));
        return csv("truth.csv");
    }();
    ASSERT_EQ(classes.size(), 171U);
    std::size_t right = 0;
    std::size_t drawn = 0;
    for (std::size_t row = 0; row < classes.size(); ++row) {
        int malignant = 0;
        for (std::size_t t = 0; t < 4; ++t) {
            const auto node = std::stoul(leaves[row].at("node_" + std::to_string(t)));
            const auto& value = forest.trees[t].nodes[node].value;
            malignant += value[1] > value[0] ? 1 : 0;
        }
        drawn += malignant == 2 ? 1 : 0;
        EXPECT_EQ(std::stod(shares[row].at("probability_malignant")), malignant / 4.0);
        EXPECT_EQ(classes[row].at("class"), malignant > 2 ? "malignant" : "benign");
        right += classes[row].at("class") == truth[row].at("diagnosis") ? 1 : 0;
    }
    EXPECT_GT(drawn, 0U) << "no vote is tied: the test does not see where ties go";
    EXPECT_NEAR(summary()["result"]["accuracy"], static_cast<double>(right) / 171, 1e-15);
    EXPECT_GT(right, 150U);
}

TEST_F(ForestCli, NumbersAreMeansOverTheTrees) {
    const std::string golf = "--data " + k_tables + "golf_players_14.csv --target Num_Players";
    ok(regrove(
        "train -q --method forest --trees 3 --objective squared_error --extra-random --oob-predictions o.csv " +
        golf + " --output f.json --summary s.json"));
    const std::string data = " --model f.json --data " + k_tables + "golf_players_14.csv";
    ok(regrove("predict -q --output value.csv" + data));
    ok(regrove("predict -q --kind leaf --output leaf.csv" + data));
    const auto forest = model("f.json");
    const Rows values = csv("value.csv");
    const Rows leaves = csv("leaf.csv");
    ASSERT_EQ(values.size(), 14U);
    for (std::size_t row = 0; row < values.size(); ++row) {
        double sum = 0;
        for (std::size_t t = 0; t < 3; ++t) {
            sum += forest.trees[t].nodes[std::stoul(leaves[row].at("node_" + std::to_string(t)))].value[0];
        }
        EXPECT_DOUBLE_EQ(std::stod(values[row].at("value")), sum / 3);
    }
    std::size_t answered = 0;
    for (const auto& row : csv("o.csv")) {
        EXPECT_EQ(row.at("value").empty(), row.at("trees") == "0");
        answered += row.at("trees") == "0" ? 0 : 1;
    }
    EXPECT_EQ(summary()["result"]["out_of_bag"]["rows"], answered);
    EXPECT_TRUE(summary()["result"]["out_of_bag"].contains("rmse"));
}

TEST_F(ForestCli, RefusesWhatCannotBe) {
    const auto refused = [&](const std::string& words, int code, const std::string& message) {
        const Outcome outcome = regrove("train " + k_wdbc + " " + words + " --output f.json");
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(message)) << words;
        EXPECT_FALSE(exists("f.json")) << words;
        EXPECT_FALSE(exists("o.csv")) << words;
    };
    const std::string forest = "--method forest --trees 2 ";
    refused(forest + "--max-features 0", 78, "a number from 1 to 30");
    refused(forest + "--max-features 31", 78, "a number from 1 to 30");
    refused(forest + "--max-features 1.5", 78, "a share above 0 and at most 1");
    refused(forest + "--max-features some", 78, "sqrt, log2, p/2");
    refused("--method forest --trees 0", 78, "--trees: '0'");
    refused(forest + "--max-bin 1", 78, "2 .. 65535");
    refused(forest + "--missing-split surrogate", 78, "--missing-split surrogate is for single trees");
    refused(forest + "--grow depth-first", 78, "--grow depth-first is for single trees");
    refused(forest + "--bootstrap=no --oob", 78, "--oob needs rows that a tree does not draw");
    refused(forest + "--bootstrap=no --oob-predictions o.csv", 78, "--oob needs rows");
    refused("--method cart --oob-predictions o.csv", 78, "--oob-predictions is for --method forest");
    refused("--trees 50", 78, "--trees is for --method forest");
    refused("--method cart --extra-random", 78, "--extra-random is for --method forest");
    const Outcome on_ranks = regrove_on(2, "train " + k_wdbc + " " + forest + "--max-features 31 --output f.json");
    EXPECT_EQ(on_ranks.code, 78);
    EXPECT_EQ(count_of(on_ranks.err, "regrove: error"), 1U) << on_ranks.err;
}

TEST_F(ForestCli, KeepsOutputsThatExist) {
    const std::string words = "train " + k_wdbc + " --method forest --trees 2 ";
    write("o.csv", "mine");
    const Outcome table = regrove(words + "--oob-predictions o.csv --output f.json");
    EXPECT_EQ(table.code, 73);
    EXPECT_THAT(table.err, HasSubstr("o.csv"));
    EXPECT_FALSE(exists("f.json"));
    EXPECT_EQ(read("o.csv"), "mine");
    write("f.json", "mine");
    EXPECT_EQ(regrove(words + "--output f.json").code, 73);
    EXPECT_EQ(read("f.json"), "mine");
    ok(regrove(words + "-q --output f.json --oob-predictions o.csv --overwrite"));
    EXPECT_EQ(model("f.json").trees.size(), 2U);
    EXPECT_EQ(count_of(read("o.csv"), "\n"), 570U);
}

}  // namespace
}  // namespace regrove::test
