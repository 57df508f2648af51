// The account of a job: complete, the same shape on any number of ranks, and out of the way of results.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using CliSummaryTest = CliTest;

TEST_F(CliSummaryTest, HoldsWhatAReaderNeedsToRepeatTheJob) {
    for (int ranks = 1; ranks <= 3; ++ranks) {
        const std::string name = "s" + std::to_string(ranks) + ".json";
        const Outcome made =
            regrove_on(ranks, "generate --rows 1000 --seed 7 -j 1 --overwrite --output t.h5 --summary " + name);
        ASSERT_EQ(made.code, 0) << made.err;
        const auto json = nlohmann::json::parse(read(name));
        EXPECT_EQ(json["job"], "generate");
        EXPECT_EQ(json["exit_code"], 0);
        EXPECT_EQ(json["options"]["rows"], "1000");
        EXPECT_EQ(json["options"]["seed"], "7");
        EXPECT_EQ(json["ranks"], ranks);
        EXPECT_EQ(json["threads"], 1);
        for (const char* per_rank : {"peak_memory_bytes", "messages_sent", "bytes_sent"}) {
            EXPECT_EQ(json[per_rank].size(), static_cast<std::size_t>(ranks)) << per_rank;
        }
        EXPECT_GT(json["peak_memory_bytes"][0], 1000000);
        EXPECT_EQ(json["bytes_sent"][0] > 0, ranks > 1);
        EXPECT_GT(json["seconds"]["total"], 0.0);
        EXPECT_GT(json["seconds"]["phases"]["generate"], 0.0);
        ASSERT_EQ(json["written"].size(), 1U);
        EXPECT_EQ(json["written"][0]["path"], "t.h5");
        EXPECT_EQ(json["written"][0]["bytes"], std::filesystem::file_size(folder_ / "t.h5"));
        EXPECT_EQ(json["written"][0]["xxh3_128"].get<std::string>().size(), 32U);
        EXPECT_EQ(json["result"]["rows"], 1000);
        EXPECT_FALSE(json.contains("error"));
    }
}

TEST_F(CliSummaryTest, TheTableGoesWhereTheResultDoesNot) {
    const Outcome to_file = regrove("generate --rows 3 --output t.csv");
    EXPECT_THAT(to_file.out, AllOf(HasSubstr("rows"), HasSubstr("time"), HasSubstr("peak memory")));
    const Outcome to_output = regrove("generate --rows 3 --output -");
    EXPECT_EQ(to_output.out, read("t.csv"));
    EXPECT_THAT(to_output.err, HasSubstr("peak memory"));
    const Outcome quiet = regrove("generate --rows 3 --output q.csv -q");
    EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(CliSummaryTest, OptionsComeFromFileSetAndFlags) {
    write("c.toml", "seed = 1\n[generate]\nrows = 4\nkind = 'friedman1'\noutput = 't.csv'\n[train]\nmax_depth = 3\n");
    ASSERT_EQ(regrove("generate --config c.toml --set generate.rows=5 --seed 2 --summary s.json").code, 0);
    const auto options = nlohmann::json::parse(read("s.json"))["options"];
    EXPECT_EQ(options["rows"], "5");
    EXPECT_EQ(options["kind"], "friedman1");
    EXPECT_EQ(options["seed"], "2");
    EXPECT_EQ(count_of(read("t.csv"), "\n"), 6U);
}

}  // namespace
}  // namespace regrove::test
