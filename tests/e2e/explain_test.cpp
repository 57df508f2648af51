// Importances and region maps through the binary: scikit-learn's figures, the same bytes on any ranks, plain refusals.
#include <cmath>
#include <map>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ExplainTest : public CliTest {
  protected:
    static std::string table(const std::string& name) { return std::string(REGROVE_TEST_DATA) + "/tables/" + name; }

    /// A tree of depth 3 on the complete rows of the Cleveland table, all columns numeric.
    void train_cleveland() const {
        ASSERT_EQ(regrove("train --data " + cleveland() + " --max-depth 3 --output c3.json").code, 0)
            << read("err.txt");
    }
    static std::string cleveland() { return table("cleveland_complete.csv") + " --target disease"; }

    /// The rows of a CSV file without quotes, by first cell; order holds the first cells.
    std::map<std::string, std::vector<std::string>> rows_of(const std::string& text,
                                                            std::vector<std::string>& order) const {
        std::map<std::string, std::vector<std::string>> rows;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream cells(line);
            std::vector<std::string> row;
            for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
            order.push_back(row.at(0));
            rows[row.at(0)] = row;
        }
        return rows;
    }
};

// From scikit-learn 1.2.1: DecisionTreeClassifier(max_depth=3, random_state=s).fit(X, y).feature_importances_ of the
// same table, equal for s = 0 .. 3.
TEST_F(ExplainTest, GainIsScikitLearnsFeatureImportance) {
    train_cleveland();
    const Outcome outcome = regrove("explain --model c3.json --output - --picture gain.svg --summary s.json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> order;
    const auto rows = rows_of(outcome.out, order);
    EXPECT_EQ(order.size(), 14U);  // a header and 13 features
    EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), "feature,importance,total_gain,splits,cover");
    const std::vector<std::pair<std::string, double>> expected{{"thal", 0.498876010581752},
                                                               {"cp", 0.2291492424339199},
                                                               {"ca", 0.17575543226791723},
                                                               {"oldpeak", 0.04863239606603101},
                                                               {"trestbps", 0.04758691865037986}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(order[i + 1], expected[i].first);
        EXPECT_NEAR(std::stod(rows.at(expected[i].first)[1]), expected[i].second, 1e-14);
    }
    EXPECT_EQ(order[6], "age");  // zeros in the model's order
    EXPECT_EQ(rows.at("thal")[3], "1");
    EXPECT_EQ(rows.at("thal")[4], "297");  // the root
    EXPECT_EQ(rows.at("cp")[3], "2");
    EXPECT_EQ(rows.at("age"), (std::vector<std::string>{"age", "0", "0", "0", "0"}));
    const auto result = nlohmann::json::parse(read("s.json"))["result"];
    EXPECT_EQ(result["kind"], "gain");
    EXPECT_NEAR(result["importance"]["ca"].get<double>(), 0.17575543226791723, 1e-14);
    EXPECT_THAT(read("gain.svg"), AllOf(HasSubstr("Importance by gain for disease"), HasSubstr(">thal<")));
}

TEST_F(ExplainTest, SplitsAndCoverCountQuestions) {
    train_cleveland();
    Outcome outcome = regrove("explain --model c3.json --kind splits --output - --summary s.json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> order;
    auto rows = rows_of(outcome.out, order);
    EXPECT_EQ(order[0], "feature");
    EXPECT_EQ(rows.at("feature"), (std::vector<std::string>{"feature", "importance", "total_gain", "cover"}));
    EXPECT_EQ(order[1], "cp");  // two questions, as ca has: in the order of the model
    EXPECT_EQ(rows.at("cp")[1], "2");
    EXPECT_EQ(rows.at("thal")[1], "1");
    EXPECT_EQ(rows.at("age")[1], "0");
    EXPECT_EQ(nlohmann::json::parse(read("s.json"))["result"]["kind"], "splits");

    outcome = regrove("explain --model c3.json --kind cover --output - --picture cover.svg");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    order.clear();
    rows = rows_of(outcome.out, order);
    EXPECT_EQ(order[1], "thal");  // the root, which all rows meet
    EXPECT_EQ(rows.at("thal")[1], "297");
    EXPECT_EQ(rows.at("thal")[3], "1");
    EXPECT_EQ(rows.at("oldpeak")[1], "89");
    EXPECT_THAT(read("cover.svg"), HasSubstr("Training weight that met"));
}

// From scikit-learn 1.2.1: permutation_importance(tree, X, y, n_repeats=2000, random_state=0) of that tree on those
// rows. Four standard errors of the two means together are allowed.
TEST_F(ExplainTest, PermutationAgreesWithScikitLearn) {
    train_cleveland();
    const Outcome outcome = regrove("explain --model c3.json --kind permutation --repeats 400 --data " + cleveland() +
                                    " --output - --seed 3");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::vector<std::string> order;
    const auto rows = rows_of(outcome.out, order);
    EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')),
              "feature,importance,standard_error,standard_deviation,splits,cover");
    struct Published {
        const char* feature;
        double mean;
        double deviation;
    };
    for (const auto& [feature, mean, deviation] : {Published{"thal", 0.10263973063973063, 0.01779159242863948},
                                                   {"ca", 0.09406734006734006, 0.016277347973374934},
                                                   {"cp", 0.09386363636363634, 0.017512461896904453},
                                                   {"trestbps", 0.033856902356902335, 0.008835686457080744}}) {
        const auto& row = rows.at(feature);
        EXPECT_NEAR(std::stod(row[1]), mean, 4 * deviation * std::sqrt(1.0 / 400 + 1.0 / 2000)) << feature;
        EXPECT_NEAR(std::stod(row[3]), deviation, deviation / 5) << feature;
        EXPECT_NEAR(std::stod(row[2]), std::stod(row[3]) / 20, 1e-12) << feature;
    }
    // oldpeak parts two leaves of one class: asked for, but without effect on the accuracy.
    EXPECT_EQ(rows.at("oldpeak"), (std::vector<std::string>{"oldpeak", "0", "0", "0", "1", "89"}));
    EXPECT_EQ(rows.at("age"), (std::vector<std::string>{"age", "0", "0", "0", "0", "0"}));
}

TEST_F(ExplainTest, PermutationIsTheSameOnAnyRanksAndThreads) {
    train_cleveland();
    const std::string words = "explain --model c3.json --kind permutation --metric log_loss --repeats 3 --data " +
                              cleveland() + " --overwrite --output p.csv --picture p.svg ";
    ASSERT_EQ(regrove(words + "--seed 7 --threads 1").code, 0) << read("err.txt");
    const std::string text = read("p.csv");
    const std::string picture = read("p.svg");
    EXPECT_THAT(picture,
                AllOf(HasSubstr("Permutation importance for disease"), HasSubstr("297 rows"), HasSubstr(" ± ")));
    ASSERT_EQ(regrove_on(3, words + "--seed 7 --threads 2").code, 0) << read("err.txt");
    EXPECT_EQ(read("p.csv"), text);
    EXPECT_EQ(read("p.svg"), picture);
    ASSERT_EQ(regrove(words + "--seed 8").code, 0);
    EXPECT_NE(read("p.csv"), text);
}

TEST_F(ExplainTest, RefusesWhatDoesNotFit) {
    train_cleveland();
    const auto refused = [&](const std::string& words, int code, const std::string& part) {
        const Outcome outcome = regrove("explain --model c3.json --output t.csv " + words);
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(part));
        EXPECT_FALSE(exists("t.csv"));
    };
    refused("--kind permutation", 64, "--data is missing");
    refused("--data " + cleveland(), 78, "--kind gain");
    refused("--kind permutation --metric rmse --data " + cleveland(), 78, "rmse");
    refused("--picture bars.jpg", 78, "bars.jpg");
    refused("--kind permutation --data " + table("five_patients.csv"), 65, "do not fit the model");
}

TEST_F(ExplainTest, DrawsRegions) {
    train_cleveland();
    const std::string words =
        "draw --model c3.json --regions oldpeak,trestbps --at thal=7 --at cp=4 --overwrite --output ";
    Outcome outcome =
        regrove(words + "map.svg --data " + cleveland().substr(0, cleveland().find(' ')) + " --summary s.json");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(read("s.json"))["result"]["points"], 297);
    const std::string map = read("map.svg");
    EXPECT_THAT(map, AllOf(HasSubstr("Regions of the tree for disease"), HasSubstr("thal = 7"), HasSubstr("cp = 4")));
    EXPECT_EQ(count_of(map, "<circle"), 297U);
    EXPECT_EQ(regrove(words + "map.png").code, 0);
    EXPECT_EQ(read("map.png").substr(1, 3), "PNG");
    outcome = regrove(words + "map.dot");
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("not maps"));
    outcome = regrove("draw --model c3.json --output tree.svg --at thal=7");
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("--regions"));
}

TEST_F(ExplainTest, DrawsAnyTreeOfAForestAndItsRegions) {
    ASSERT_EQ(
        regrove("train --method forest --trees 5 --max-depth 4 --data " + cleveland() + " --output f.json").code, 0)
        << read("err.txt");
    ASSERT_EQ(regrove("draw --model f.json --tree 4 --output tree.svg").code, 0) << read("err.txt");
    EXPECT_THAT(read("tree.svg"), HasSubstr("tree 4 of 0 to 4"));
    const Outcome outcome = regrove("draw --model f.json --tree 5 --output other.svg");
    EXPECT_EQ(outcome.code, 78);
    EXPECT_THAT(outcome.err, HasSubstr("has no tree 5; it has 5 trees"));
    EXPECT_FALSE(exists("other.svg"));
    ASSERT_EQ(regrove("draw --model f.json --regions age,thalach --output map.svg").code, 0) << read("err.txt");
    EXPECT_THAT(read("map.svg"), AllOf(HasSubstr("Regions of the forest for disease"), HasSubstr("5 trees")));
}

}  // namespace
}  // namespace regrove::test
