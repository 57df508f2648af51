// Prices of features and what answers cost with them, through the binary.
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Cost : public CliTest {
  protected:
    void SetUp() override {
        CliTest::SetUp();
        const std::string adult = REGROVE_TEST_DATA "/objective/adult_2000.csv.gz";
        ASSERT_EQ(regrove("ingest -q --input " + adult + " --target income --missing '?' --output t.h5").code, 0);
        ASSERT_EQ(regrove("train -q --method boosting --data t.h5 --grow symmetric --trees 20 --max-depth 3 "
                          "--colsample-bytree 0.5 --output m.json")
                      .code,
                  0);
        const auto model = nlohmann::json::parse(read("m.json"));
        std::string costs;
        for (const auto& feature : model["features"])
            costs += feature["name"].dump() + " = " + (feature["name"] == "capital_gain" ? "50\n" : "1.5\n");
        write("costs.toml", costs);
    }
    nlohmann::json result() const { return nlohmann::json::parse(read("s.json"))["result"]; }
};

TEST_F(Cost, DecisionsCostLessAndAreThePredicted) {
    const std::string words = "cost -q --model m.json --data t.h5 --costs costs.toml --expand-sets 1 --overwrite ";
    ASSERT_EQ(regrove(words + "--summary s.json").code, 0);
    const auto scores = result();
    ASSERT_EQ(regrove(words + "--decide-at 0.3 --output asked.csv --summary s.json").code, 0);
    const auto decisions = result();
    EXPECT_LE(scores["mean_cost"], scores["cost_of_all_features"]);
    EXPECT_LT(decisions["mean_cost"].get<double>(), 0.8 * scores["mean_cost"].get<double>());
    EXPECT_THAT(read("asked.csv"), HasSubstr("feature,cost,share_of_rows_that_ask"));
    ASSERT_EQ(regrove("predict -q --model m.json --data t.h5 --kind probability --output p.csv").code, 0);
    std::istringstream lines(read("p.csv"));
    std::string line;
    std::getline(lines, line);
    std::size_t above = 0;
    while (std::getline(lines, line)) above += std::stod(line.substr(line.rfind(',') + 1)) > 0.3 ? 1U : 0U;
    EXPECT_EQ(decisions["rows_above"], above);
    ASSERT_EQ(regrove_on(3, words + "--decide-at 0.3 --output asked3.csv --summary s.json").code, 0);
    EXPECT_EQ(read("asked3.csv"), read("asked.csv"));
    EXPECT_EQ(result(), decisions);
}

TEST_F(Cost, WhatIsWrongIsSaid) {
    const std::string words = "cost --model m.json --data t.h5 --costs c.toml --expand-sets 1 ";
    write("c.toml", "age = 1\nsexx = 2\n");
    EXPECT_THAT(regrove(words).err,
                AllOf(HasSubstr("c.toml:2"), HasSubstr("'sexx'"), HasSubstr("did you mean 'sex'")));
    write("c.toml", "age = -1\n");
    EXPECT_THAT(regrove(words).err, AllOf(HasSubstr("c.toml:1"), HasSubstr("'-1'")));
    write("c.toml", "age = 1\n");
    EXPECT_THAT(regrove(words).err, HasSubstr("has no cost"));
    EXPECT_THAT(regrove("cost --model m.json --data t.h5 --costs costs.toml --expand-sets 1 --decide-at 1.5").err,
                HasSubstr("on either side of 1.5"));
    EXPECT_THAT(regrove("cost --model m.json --data t.h5").err, HasSubstr("--costs is missing"));
}

}  // namespace
}  // namespace regrove::test
