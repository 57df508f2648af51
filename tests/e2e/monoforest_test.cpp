// The paper's pruning protocol through the binary: splits, thresholds, what they cost, and equal bytes on ranks.
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

class Monoforest : public CliTest {
  protected:
    void SetUp() override {
        CliTest::SetUp();
        const std::string adult = REGROVE_TEST_DATA "/objective/adult_2000.csv.gz";
        ASSERT_EQ(regrove("ingest -q --input " + adult + " --target income --missing '?' --output t.h5").code, 0);
    }
    static std::string words(const std::string& more) {
        return "monoforest -q --data t.h5 --grow symmetric --trees 40 --max-depth 4 --expand-sets 1 --splits 2 "
               "--seed 3 " +
               more;
    }
    /// Rows of cells, the header first.
    std::vector<std::vector<std::string>> cells(const std::string& file) const {
        std::istringstream text(read(file));
        std::vector<std::vector<std::string>> rows;
        for (std::string line; std::getline(text, line);) {
            std::istringstream of_line(line);
            rows.emplace_back();
            for (std::string cell; std::getline(of_line, cell, ',');) rows.back().push_back(cell);
        }
        return rows;
    }
};

TEST_F(Monoforest, ThresholdsHoldTheMetricOnValidationRows) {
    const Outcome outcome = regrove(words("--tolerance 0.002 --table s.csv --summary s.json"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto table = cells("s.csv");
    ASSERT_EQ(table.size(), 3U);
    const auto number = [&](std::size_t row, const std::string& name) {
        const auto at = std::find(table[0].begin(), table[0].end(), name) - table[0].begin();
        return std::stod(table[row].at(static_cast<std::size_t>(at)));
    };
    double ratios = 0;
    for (std::size_t row = 1; row <= 2; ++row) {
        EXPECT_EQ(number(row, "rounds"), 40);
        EXPECT_GE(number(row, "monomials_of_non_zero_weight"), number(row, "monomials_before"));
        EXPECT_GT(number(row, "monomials_before"), number(row, "monomials_after"));
        EXPECT_EQ(number(row, "ratio"), number(row, "monomials_before") / number(row, "monomials_after"));
        EXPECT_GE(number(row, "valid_after"), number(row, "valid_before") - 0.002);
        EXPECT_GT(number(row, "test_before"), 0.85);
        EXPECT_NEAR(number(row, "test_after"), number(row, "test_before"), 0.02);
        ratios += number(row, "ratio") / 2;
    }
    EXPECT_NE(number(1, "test_before"), number(2, "test_before")) << "splits differ";
    const auto result = nlohmann::json::parse(read("s.json"))["result"];
    EXPECT_DOUBLE_EQ(result["ratio"]["mean"].get<double>(), ratios);
    EXPECT_EQ(result["metric_name"], "roc_auc");
}

TEST_F(Monoforest, EverythingMayGoWhenTheMetricMayFall) {
    ASSERT_EQ(regrove(words("--tolerance 1 --table s.csv")).code, 0);
    for (std::size_t row = 1; row <= 2; ++row) {
        EXPECT_EQ(cells("s.csv")[row][4], "0");        // monomials_after
        EXPECT_EQ(cells("s.csv")[row].back(), "0.5");  // a constant ranks nothing
    }
}

TEST_F(Monoforest, GivesTheSameBytesOnRanks) {
    const std::string options = words("--early-stopping 10 --tolerance 0.001 ");
    ASSERT_EQ(regrove(options + "--table one.csv").code, 0);
    for (const int ranks : {2, 3}) {
        const Outcome outcome = regrove_on(ranks, options + "--overwrite --threads 1 --table more.csv");
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(read("more.csv"), read("one.csv")) << ranks;
    }
}

TEST_F(Monoforest, RefusesWhatItCannotDo) {
    const auto fails = [&](const std::string& more, const std::string& message) {
        const Outcome outcome = regrove(words(more));
        EXPECT_EQ(outcome.code, 78) << more << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(message));
    };
    fails("--table s.csv --valid-rows 0.13", "in steps of 0.05");
    fails("--table s.csv --valid-rows 0.5 --test-rows 0.5", "leave no rows to learn from");
    fails("--table s.csv --valid-share 0.2", "--valid-rows says");
    EXPECT_FALSE(exists("s.csv"));
}

}  // namespace
}  // namespace regrove::test
