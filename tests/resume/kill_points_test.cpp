// A rank is killed at each step of the protocol; the job goes on on other numbers of ranks to the same bytes.
#include <gmock/gmock.h>

#include "resume/counting_case.hpp"

namespace regrove::test {
namespace {

const std::string k_count = "--until 2000 --block 20";
const std::string k_words = k_count + " --pause 4 --checkpoint ck --checkpoint-every 0.05 --summary s.json";

class KillPointsTest : public CountingTest, public testing::WithParamInterface<const char*> {};
class KillPointsOnRanksTest : public KillPointsTest {};

TEST_P(KillPointsTest, OneRankGoesOn) {
    const std::string expected = reference(k_count);
    for (const int which : {1, 2, 4}) {
        const std::string order = "REGROVE_TEST_KILL=" + std::string(GetParam()) + ":" + std::to_string(which) + ":0";
        const Outcome killed = count(1, k_words, order);
        ASSERT_EQ(killed.code, 128 + SIGKILL) << order << killed.err;
    }
    const Outcome ended = count(1, k_count + " --checkpoint ck --summary s.json");
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_GT(summary()["result"]["began_at"], 0);
    EXPECT_EQ(read("out.table"), expected);
    EXPECT_LE(generations().size(), 2U);
}

TEST_P(KillPointsOnRanksTest, OtherNumbersGoOn) {
    const std::string expected = reference(k_count);
    const std::string step = GetParam();
    const bool root_only = step == "manifest" || step == "dropped";
    ASSERT_NE(count(3, k_words, "REGROVE_TEST_KILL=" + step + ":2:" + (root_only ? "0" : "2")).code, 0);
    ASSERT_NE(count(2, k_words, "REGROVE_TEST_KILL=" + step + ":2:0").code, 0);
    const Outcome ended = count(4, k_count + " --checkpoint ck --summary s.json");
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_GT(summary()["result"]["began_at"], 0);
    EXPECT_EQ(read("out.table"), expected);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "ck"))
        EXPECT_EQ(entry.path().string().find("partial"), std::string::npos) << entry.path();
}

const auto k_name = [](const auto& step) { return std::string(step.param); };

INSTANTIATE_TEST_SUITE_P(Steps, KillPointsTest,
                         testing::Values("begun", "written", "agreed", "manifest", "named", "verified", "dropped"),
                         k_name);
INSTANTIATE_TEST_SUITE_P(Steps, KillPointsOnRanksTest, testing::Values("begun", "agreed", "manifest", "dropped"),
                         k_name);

}  // namespace
}  // namespace regrove::test
