// Target statistics through the binary: two runs are one, ranks give the same bytes, and the model's sets of categories hold for
// categories that training did not see.
#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>

#include "regrove/core/random.hpp"
#include "regrove/formats/registry.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

class TargetStatisticsCli : public CliTest {
  protected:
    /// 600 rows of 80 towns, whose labels say yes more often the higher the town's number, and 8 rows of two unseen towns.
    TargetStatisticsCli() {
        const CounterRandom random(1, 2);
        std::string rows = "town,size,label\n";
        for (std::uint64_t row = 0; row < 600; ++row) {
            const std::uint64_t town = random.below(3 * row, 80);
            const bool yes = random.below(3 * row + 1, 80) < town;
            rows += "t" + std::to_string(town) + "," + std::to_string(random.below(3 * row + 2, 50)) + "," +
                    (yes ? "yes" : "no") + "\n";
        }
        write("train.csv", rows);
        write("other.csv", "town,size,label\nt79,1,yes\nt0,1,no\nelse,1,no\nnew,1,no\n,1,no\n");
    }

    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }

    std::vector<std::string> answers(const std::string& model) {
        ok(regrove("predict -q --model " + model + " --data other.csv --kind raw --output answers.csv"));
        std::istringstream text(read("answers.csv"));
        std::vector<std::string> lines;
        for (std::string line; std::getline(text, line);) lines.push_back(line.substr(line.rfind(',') + 1));
        if (!lines.empty()) lines.erase(lines.begin());
        return lines;
    }
};

const std::string k_words =
    "train -q --method boosting --max-depth 3 --subsample 0.7 --seed 3 --target-statistics high --data train.csv "
    "--target label ";

TEST_F(TargetStatisticsCli, TwoRunsAreOneOnAnyRanks) {
    ok(regrove(k_words + "--trees 9 --output whole.json"));
    ok(regrove(k_words + "--trees 4 --output part.json"));
    ok(regrove_on(2, k_words + "--trees 5 --continue part.json --output rest.json"));
    EXPECT_TRUE(read("rest.json") == read("whole.json"));
    const Outcome other =
        regrove(k_words + "--target-statistics-prior 2 --trees 5 --continue part.json --output no.json");
    EXPECT_EQ(other.code, 78);
    EXPECT_THAT(other.err, HasSubstr("option.target_statistics_prior (1, now 2)"));
}

TEST_F(TargetStatisticsCli, UnseenCategoriesAnswerAlike) {
    ok(regrove(k_words + "--trees 40 --output m.json"));
    const model::Ensemble made = formats::parse_model(read("m.json"), "m.json");
    const auto asks_town = [](const model::Node& node) {
        return !node.is_leaf() && node.question.kind == model::QuestionKind::category;
    };
    EXPECT_TRUE(std::any_of(made.trees[0].nodes.begin(), made.trees[0].nodes.end(), asks_town));
    const auto raw = answers("m.json");
    ASSERT_EQ(raw.size(), 5U);
    EXPECT_EQ(raw[2], raw[3]);
    EXPECT_GT(std::stod(raw[0]), std::stod(raw[2]));
    EXPECT_LT(std::stod(raw[1]), std::stod(raw[2]));
    ok(regrove("verify -q m.json m.json"));
}

}  // namespace
}  // namespace regrove::test
