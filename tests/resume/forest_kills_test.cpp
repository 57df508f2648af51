// A forest that is killed or stopped goes on to the bytes of an undisturbed run, on another number of ranks.
#include <csignal>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "regrove/core/random.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

class ForestKills : public CliTest {
  protected:
    static constexpr const char* k_checkpoint = " --checkpoint ck --checkpoint-every 0.05";

    void SetUp() override {
        CliTest::SetUp();
        const Outcome made = regrove("generate -q --kind higgs-like --rows 6000 --seed 4 --output t.h5");
        ASSERT_EQ(made.code, 0) << made.err;
    }
    static std::string words(const std::string& options, const std::string& more) {
        return "train -q --method forest --threads 1 --data t.h5 --overwrite --output m.json --summary s.json " +
               options + more;
    }
    static std::string line(std::uint64_t ranks, const std::string& words) {
        if (ranks == 1) return "exec \"$REGROVE\" " + words;
        return "exec mpirun -n " + std::to_string(ranks) + " \"$REGROVE\" " + words;
    }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }
    bool has_checkpoint() const {
        if (!std::filesystem::exists(folder_ / "ck")) return false;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "ck"))
            if (entry.path().filename().string().starts_with("gen-")) return true;
        return false;
    }
    void forget() const {
        for (const char* name : {"m.json", "s.json"}) std::filesystem::remove(folder_ / name);
        std::filesystem::remove_all(folder_ / "ck");
    }

    /// Killed until a checkpoint was left behind, then gone on with, on another number of ranks.
    void is_killed_and_goes_on(const std::string& options) {
        const auto start_time = std::chrono::steady_clock::now();
        ASSERT_EQ(run(line(1, words(options, ""))).code, 0);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_time).count();
        const std::string expected = read("m.json");
        const auto result = summary()["result"];
        forget();
        for (int killed = 0; killed < 2;) {
            const pid_t child = start(line(1, words(options, k_checkpoint)));
            const double share = 0.3 + 0.1 * static_cast<double>(random_.below(drawn_++, 5));
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds * share));
            kill(child, SIGKILL);
            if (wait_for(child).code == 128 + SIGKILL && has_checkpoint()) ++killed;
            if (killed == 0) forget();
        }
        const Outcome last = run(line(1 + random_.below(drawn_++, 3), words(options, k_checkpoint)));
        ASSERT_EQ(last.code, 0) << last.err;
        EXPECT_TRUE(read("m.json") == expected);
        EXPECT_EQ(summary()["result"], result) << "out-of-bag scores included";
        EXPECT_TRUE(summary()["details"]["checkpoints"].contains("resumed_from"));
    }

  private:
    CounterRandom random_{31, 0x7465737400000005U};
    std::uint64_t drawn_ = 0;
};

TEST_F(ForestKills, OfDealtTreesWithOutOfBagScores) {
    is_killed_and_goes_on("--trees 60 --seed 3 --oob --spread trees");
}
TEST_F(ForestKills, OfSpreadRows) {
    is_killed_and_goes_on("--trees 200 --max-depth 8 --spread rows --subsample 0.5");
}

TEST_F(ForestKills, TheTimeLimitKeepsTheTreesSoFar) {
    const std::string many = "--trees 100000 --max-depth 4";
    const Outcome saved = run(line(2, words(many, " --time-limit 3 --checkpoint ck")));
    EXPECT_EQ(saved.code, 75) << saved.err;
    EXPECT_THAT(saved.err, HasSubstr("in 'ck' holds the rest"));
    EXPECT_TRUE(read("m.json").empty());
    const Outcome other = run(line(1, words("--trees 100000 --max-depth 5", " --time-limit 3 --checkpoint ck")));
    EXPECT_EQ(other.code, 78) << other.err;
    EXPECT_THAT(other.err, HasSubstr("max_depth"));
    const Outcome tree = regrove("train -q --data t.h5 --checkpoint other --output t.json");
    EXPECT_EQ(tree.code, 78);
    EXPECT_THAT(tree.err, HasSubstr("a single tree is grown in one go"));
}

}  // namespace
}  // namespace regrove::test
