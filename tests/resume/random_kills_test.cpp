// SIGKILL at random moments, again and again; what comes out in the end is as if nothing had happened.
#include <gmock/gmock.h>

#include "regrove/core/random.hpp"

#include "resume/counting_case.hpp"

namespace regrove::test {
namespace {

const std::string k_count = "--until 1200 --block 20";
const std::string k_words = k_count + " --pause 3 --checkpoint ck --summary s.json --overwrite --checkpoint-every ";

class RandomKillsTest : public CountingTest {
  protected:
    /// Kills and goes on until the job ends; returns the kills. Every run must end by the kill or well.
    int go_on_until_done(std::uint64_t& draw, int most_ranks, const std::string& every, std::uint64_t span_ms) {
        const CounterRandom random(11, 0x7465737400000001U);
        for (int kills = 0; kills < 200; ++kills) {
            const int ranks = 1 + static_cast<int>(random.below(draw++, static_cast<std::uint64_t>(most_ranks)));
            const auto rank = random.below(draw++, static_cast<std::uint64_t>(ranks));
            const auto after = 5 + random.below(draw++, span_ms);
            const Outcome outcome =
                count(ranks, k_words + every,
                      "REGROVE_TEST_KILL=after:" + std::to_string(after) + ":" + std::to_string(rank));
            if (outcome.code == 0) return kills;
            EXPECT_EQ(outcome.err.find("damaged"), std::string::npos) << outcome.err;
            EXPECT_EQ(outcome.code, 128 + SIGKILL) << outcome.err;
        }
        ADD_FAILURE() << "no progress";
        return 0;
    }
};

TEST_F(RandomKillsTest, OneRank) {
    const std::string expected = reference(k_count);
    std::uint64_t draw = 0;
    for (int kills = 0; kills < 20;) {
        std::filesystem::remove_all(folder_ / "ck");
        std::filesystem::remove(folder_ / "out.table");
        kills += go_on_until_done(draw, 1, "0.03", 150);
        ASSERT_FALSE(HasFailure());
        EXPECT_EQ(read("out.table"), expected);
    }
}

TEST_F(RandomKillsTest, OneToFourRanks) {
    const std::string expected = reference(k_count);
    std::uint64_t draw = 1000;
    for (int kills = 0; kills < 5;) {
        std::filesystem::remove_all(folder_ / "ck");
        std::filesystem::remove(folder_ / "out.table");
        kills += go_on_until_done(draw, 4, "0.1", 300);
        ASSERT_FALSE(HasFailure());
        EXPECT_EQ(read("out.table"), expected);
    }
}

}  // namespace
}  // namespace regrove::test
