// Attributions of rows and partial dependence through the binary: they add up, are the same on any ranks, and refuse
// plainly.
#include <cmath>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

class ShapTest : public CliTest {
  protected:
    static std::string table() { return std::string(REGROVE_TEST_DATA) + "/tables/cleveland.csv"; }

    void train() const {
        ASSERT_EQ(regrove("train --method boosting --trees 8 --max-depth 3 --target disease --output b.json --data " +
                          table())
                      .code,
                  0)
            << read("err.txt");
    }

    /// The numbers of a CSV file below its header.
    std::vector<std::vector<double>> numbers(const std::string& file) const {
        std::istringstream lines(read(file));
        std::vector<std::vector<double>> rows;
        std::string line;
        for (std::getline(lines, line); std::getline(lines, line);) {
            std::istringstream cells(line);
            rows.emplace_back();
            for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
        }
        return rows;
    }

    void expect_sums(const std::string& shares, const std::string& scores) const {
        const auto parts = numbers(shares);
        const auto raw = numbers(scores);
        ASSERT_EQ(parts.size(), 303U);
        ASSERT_EQ(raw.size(), 303U);
        for (std::size_t row = 0; row < parts.size(); ++row) {
            double sum = 0;
            for (const double part : parts[row]) sum += part;
            EXPECT_NEAR(sum, raw[row][0], 1e-13);
        }
    }
};

TEST_F(ShapTest, RowsAddUpToTheScoreAndAreTheSameOnAnyRanks) {
    train();
    ASSERT_EQ(regrove("predict --model b.json --kind raw --output raw.csv --data " + table()).code, 0);
    const std::string path = "explain --model b.json --kind shap --data " + table();
    ASSERT_EQ(regrove(path + " --output m.csv --rows r.csv --picture m.svg --summary s.json").code, 0)
        << read("err.txt");
    expect_sums("r.csv", "raw.csv");
    const auto result = nlohmann::json::parse(read("s.json"))["result"];
    EXPECT_LE(result["largest_remainder"].get<double>(), result["remainder_bound"].get<double>());
    EXPECT_THAT(read("m.svg"), HasSubstr("Mean size of attributions for disease"));
    ASSERT_EQ(regrove_on(3, path + " --output m3.csv --rows r3.csv").code, 0) << read("err.txt");
    EXPECT_EQ(read("r.csv"), read("r3.csv"));
    EXPECT_EQ(read("m.csv"), read("m3.csv"));

    const std::string pairs = path + " --mode interventional --background-rows 30 --seed 4 --background " + table();
    ASSERT_EQ(regrove(pairs + " --rows i.csv").code, 0) << read("err.txt");
    expect_sums("i.csv", "raw.csv");
    ASSERT_EQ(regrove_on(2, pairs + " --rows i2.csv").code, 0) << read("err.txt");
    EXPECT_EQ(read("i.csv"), read("i2.csv"));
}

TEST_F(ShapTest, PartialDependenceIsATableAndAPicture) {
    train();
    const std::string words = "explain --model b.json --kind partial-dependence --data " + table();
    ASSERT_EQ(regrove(words + " --feature thal --output d.csv --picture d.svg").code, 0) << read("err.txt");
    EXPECT_THAT(read("d.csv"), HasSubstr("thal,thal_above,thal_up_to,probability_yes\nx <= 4.5,,4.5,0.39543"));
    EXPECT_THAT(read("d.svg"), HasSubstr("Partial dependence of disease on thal"));
    ASSERT_EQ(regrove_on(3, words + " --feature thal --output d3.csv").code, 0) << read("err.txt");
    EXPECT_EQ(read("d.csv"), read("d3.csv"));
    ASSERT_EQ(regrove(words + " --feature thal --feature cp --response raw --output two.csv --picture two.svg").code,
              0)
        << read("err.txt");
    EXPECT_THAT(read("two.csv"), HasSubstr("thal,thal_above,thal_up_to,cp,cp_above,cp_up_to,raw\n"));
}

TEST_F(ShapTest, RefusesWhatCannotBeExplained) {
    train();
    const auto refused = [&](const std::string& words, const std::string& said) {
        const Outcome outcome = regrove("explain --model b.json --data " + table() + words);
        EXPECT_NE(outcome.code, 0);
        EXPECT_THAT(outcome.err, HasSubstr(said));
    };
    refused(" --kind shap --mode interventional", "--background is missing");
    refused(" --kind partial-dependence", "varies one or two features");
    refused(" --kind partial-dependence --feature thall", "did you mean 'thal'?");
    refused(" --kind partial-dependence --feature thal --feature thal", "named twice");
}

}  // namespace
}  // namespace regrove::test
