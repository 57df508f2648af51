// Generated files are the same bytes on any number of ranks and threads, and wrong requests leave no file.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class GenerateTest : public CliTest {
  protected:
    nlohmann::json summary_of(const std::string& name) const { return nlohmann::json::parse(read(name)); }
};

// More rows than one round of three ranks of 16384, so that blocks go round more than once.
TEST_F(GenerateTest, TextIsTheSameOnAnyRanksAndThreads) {
    ASSERT_EQ(regrove("generate --kind mixed --rows 60001 --seed 5 --threads 1 --output a.csv --summary a.json").code,
              0);
    const std::string text = read("a.csv");
    EXPECT_EQ(count_of(text, "\n"), 60002U);
    EXPECT_EQ(text.substr(0, text.find('\n')), "amount,ratio,visits,stamp,color,region,size,flag,label,weight");
    ASSERT_EQ(regrove("generate --kind mixed --rows 60001 --seed 5 --threads 2 --output b.csv").code, 0);
    EXPECT_EQ(read("b.csv"), text);
    for (int ranks = 2; ranks <= 3; ++ranks) {
        const std::string words =
            "generate --kind mixed --rows 60001 --seed 5 --overwrite --output b.csv --summary b.json";
        ASSERT_EQ(regrove_on(ranks, words).code, 0);
        EXPECT_EQ(read("b.csv"), text) << ranks;
        EXPECT_EQ(summary_of("b.json")["result"], summary_of("a.json")["result"]) << ranks;
    }
}

TEST_F(GenerateTest, TablesAreTheSameOnAnyRanksAndHashLikeText) {
    const std::string words = "generate --kind higgs-like --rows 3001 --overwrite --output a.h5 --summary h5.json";
    ASSERT_EQ(regrove(words).code, 0);
    const std::string bytes = read("a.h5");
    for (int ranks = 2; ranks <= 4; ++ranks) {
        ASSERT_EQ(regrove_on(ranks, words).code, 0);
        EXPECT_EQ(read("a.h5"), bytes) << ranks;
    }
    ASSERT_EQ(regrove("generate --kind higgs-like --rows 3001 --output a.tsv --summary tsv.json").code, 0);
    const auto result = summary_of("h5.json")["result"];
    EXPECT_EQ(result["rows"], 3001);
    EXPECT_EQ(result["columns"], 29);
    EXPECT_EQ(summary_of("tsv.json")["result"]["content_hash"], result["content_hash"]);
    EXPECT_EQ(count_of(read("a.tsv"), "\t"), 28U * 3002U);
}

TEST_F(GenerateTest, StandardOutputHoldsTheTableAlone) {
    const Outcome outcome = regrove("generate --kind friedman1 --features 5 --rows 2 --output -");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.out.substr(0, 17), "x0,x1,x2,x3,x4,y\n");
    EXPECT_EQ(count_of(outcome.out, "\n"), 3U);
    EXPECT_THAT(outcome.err, HasSubstr("content hash"));
}

TEST_F(GenerateTest, MoreRanksThanRows) {
    ASSERT_EQ(regrove("generate --rows 1 --output a.csv").code, 0);
    ASSERT_EQ(regrove_on(4, "generate --rows 1 --output b.csv").code, 0);
    EXPECT_EQ(read("a.csv"), read("b.csv"));
    EXPECT_EQ(regrove_on(4, "generate --rows 1 --output b.h5").code, 0);
}

TEST_F(GenerateTest, WrongRequestsNameWhatIsAllowed) {
    EXPECT_EQ(regrove("generate --rows 5").code, 64);
    const Outcome form = regrove("generate --rows 5 --output a.xls");
    EXPECT_EQ(form.code, 78);
    EXPECT_THAT(form.err, AllOf(HasSubstr("a.xls"), HasSubstr(".csv or .tsv")));
    const Outcome kind = regrove("generate --kind higgs --output a.csv");
    EXPECT_EQ(kind.code, 78);
    EXPECT_THAT(kind.err, HasSubstr("higgs-like, friedman1, mixed"));
    const Outcome features = regrove_on(2, "generate --features 27 --output a.csv");
    EXPECT_EQ(features.code, 78);
    EXPECT_THAT(features.err, HasSubstr("have 28 features, not 27"));
    EXPECT_FALSE(exists("a.csv"));
    write("a.h5", "old");
    EXPECT_EQ(regrove_on(2, "generate --rows 5 --output a.h5").code, 73);
    EXPECT_EQ(read("a.h5"), "old");
}

}  // namespace
}  // namespace regrove::test
