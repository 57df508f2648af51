// Tables binned once and trained on from the file, through the binary.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

const std::string k_tables = std::string(REGROVE_TEST_DATA) + "/tables/";
const std::string k_boost = "train -q --method boosting --trees 5 --max-depth 3 --max-bin 40 --subsample 0.7 ";

class BinCli : public CliTest {
  protected:
    void ok(const Outcome& outcome) const { ASSERT_EQ(outcome.code, 0) << outcome.err; }
    nlohmann::json result() const { return nlohmann::json::parse(read("s.json"))["result"]; }
};

TEST_F(BinCli, ModelsOfKeptBinsAreThoseOfTheTable) {
    const std::string data = "--data " + k_tables + "wdbc_train.csv --target diagnosis ";
    const std::string valid = "--valid " + k_tables + "wdbc_test.csv --early-stopping 3 ";
    ok(regrove(k_boost + valid + data + "--output table.json"));
    ok(regrove("bin -q --max-bin 40 " + data + "--output kept.h5 --summary s.json"));
    EXPECT_EQ(result()["features"], 30);
    EXPECT_EQ(result()["quantile_rows"], result()["rows"]);
    ok(regrove(k_boost + valid + "--data kept.h5 --target diagnosis --output kept.json"));
    EXPECT_TRUE(read("kept.json") == read("table.json"));
    ok(regrove_on(2, k_boost + valid + "--data kept.h5 --target diagnosis --threads 1 --output ranks.json"));
    EXPECT_TRUE(read("ranks.json") == read("table.json"));
}

TEST_F(BinCli, GeneratedTablesAreBinnedInChunksOnRanks) {
    ok(regrove("generate -q --kind mixed --rows 3000 --seed 3 --output t.h5"));
    ok(regrove("bin -q --data t.h5 --max-bin 40 --output one.h5 --quantile-rows 500 --summary s.json"));
    EXPECT_LT(result()["quantile_rows"], 700);
    EXPECT_GT(result()["quantile_rows"], 300);
    ok(regrove_on(2, "bin -q --data t.h5 --max-bin 40 --output two.h5 --quantile-rows 500"));
    EXPECT_TRUE(read("one.h5") == read("two.h5"));
    ok(regrove("bin -q --data t.h5 --max-bin 40 --output whole.h5"));
    ok(regrove(k_boost + "--data whole.h5 --output kept.json"));
    ok(regrove(k_boost + "--data t.h5 --output table.json"));
    EXPECT_TRUE(read("kept.json") == read("table.json"));
}

TEST_F(BinCli, OtherUsesAreRefusedByName) {
    ok(regrove("generate -q --kind higgs-like --rows 500 --output t.h5"));
    ok(regrove("bin -q --data t.h5 --output kept.h5"));
    const auto refused = [&](const std::string& words, int code, const std::string& why) {
        const Outcome outcome = regrove(words);
        EXPECT_EQ(outcome.code, code) << words;
        EXPECT_THAT(outcome.err, HasSubstr(why)) << words;
    };
    refused("train --method boosting --max-bin 63 --data kept.h5 --output m.json", 78, "give --max-bin 255");
    refused("train --method forest --data kept.h5 --output m.json", 78, "--method boosting");
    refused("train --method boosting --valid-share 0.2 --data kept.h5 --output m.json", 78, "--valid-share");
    refused("crossvalidate --method boosting --data kept.h5 --output m.csv", 65, "regrove bin");
    refused("bin --data kept.h5 --output again.h5", 65, "regrove bin");
    refused("bin --data t.h5 --output kept.h5", 73, "kept.h5");
    ok(regrove("train -q --method boosting --trees 2 --data t.h5 --output m.json"));
    refused("predict --model m.json --data kept.h5 --output p.csv", 65, "regrove bin");
}

}  // namespace
}  // namespace regrove::test
