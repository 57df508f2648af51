// Boosting that is killed or stopped goes on to the bytes of an undisturbed run, on another number of ranks.
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "regrove/core/random.hpp"

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Written {
    std::string model;
    std::string curve;
    friend bool operator==(const Written&, const Written&) = default;
};

class BoostingKills : public CliTest {
  protected:
    static constexpr const char* k_checkpoint = " --checkpoint ck --checkpoint-every 0.05";

    void SetUp() override {
        CliTest::SetUp();
        const Outcome made = regrove("generate -q --kind higgs-like --rows 12000 --seed 4 --output t.h5");
        ASSERT_EQ(made.code, 0) << made.err;
    }
    static std::string words(const std::string& options, const std::string& more) {
        return "train -q --method boosting --threads 1 --data t.h5 --overwrite --output m.json --learning-curve "
               "c.csv "
               "--summary s.json " +
               options + more;
    }
    static std::string line(std::uint64_t ranks, const std::string& words) {
        if (ranks == 1) return "exec \"$REGROVE\" " + words;
        return "exec mpirun -n " + std::to_string(ranks) + " sh -c 'echo $$ > pid; exec \"$REGROVE\" " + words + "'";
    }
    Written written() const { return {read("m.json"), read("c.csv")}; }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }
    void forget() const {
        for (const char* name : {"m.json", "c.csv", "s.json"}) std::filesystem::remove(folder_ / name);
        std::filesystem::remove_all(folder_ / "ck");
    }
    static void pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }
    std::uint64_t draw(std::uint64_t below) { return random_.below(drawn_++, below); }

    Written undisturbed(const std::string& options) {
        const auto start = std::chrono::steady_clock::now();
        const Outcome outcome = run(line(1, words(options, "")));
        seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        const Written expected = written();
        forget();
        return expected;
    }

    /// Killed until a checkpoint was left behind, then gone on with, on another number of ranks each time.
    void is_killed_and_goes_on(const std::string& options) {
        const Written expected = undisturbed(options);
        ASSERT_FALSE(expected.model.empty());
        for (int killed = 0; killed < 3;) {
            const pid_t child = start(line(1, words(options, k_checkpoint)));
            pause(seconds_ * (0.2 + 0.1 * static_cast<double>(draw(6))));
            kill(child, SIGKILL);
            if (wait_for(child).code == 128 + SIGKILL) ++killed;
            if (killed == 0) forget();
        }
        const Outcome last = run(line(1 + draw(3), words(options, k_checkpoint)));
        ASSERT_EQ(last.code, 0) << last.err;
        EXPECT_TRUE(written() == expected);
        EXPECT_TRUE(summary()["details"]["checkpoints"].contains("resumed_from"));
    }

    double seconds_ = 0;

  private:
    CounterRandom random_{29, 0x7465737400000004U};
    std::uint64_t drawn_ = 0;
};

TEST_F(BoostingKills, WithSamplingAndEarlyStopping) {
    is_killed_and_goes_on("--trees 60 --subsample 0.7 --colsample-bynode 0.6 --valid-share 0.2 --early-stopping 40");
}
TEST_F(BoostingKills, WithTreesLeftOut) { is_killed_and_goes_on("--trees 40 --dart --drop-rate 0.3 --max-depth 4"); }
TEST_F(BoostingKills, LeafByLeafWithGradientSampling) {
    is_killed_and_goes_on("--trees 50 --grow lossguide --max-leaves 31 --max-depth 0 --sampling gradient");
}

TEST_F(BoostingKills, TheTimeLimitKeepsTheRoundsSoFar) {
    const std::string many = "--trees 100000 --max-depth 3";
    const Outcome saved = run(line(2, words(many, " --time-limit 2 --checkpoint ck")));
    EXPECT_EQ(saved.code, 75) << saved.err;
    EXPECT_THAT(saved.err, AllOf(HasSubstr("stopped, as the time is over"), HasSubstr("in 'ck' holds the rest")));
    EXPECT_TRUE(read("m.json").empty());
    const Outcome other = run(line(1, words("--trees 100000 --max-depth 4", " --time-limit 2 --checkpoint ck")));
    EXPECT_EQ(other.code, 78) << other.err;
    EXPECT_THAT(other.err, HasSubstr("max_depth"));
    forget();
    const Outcome lost = run(line(1, words(many, " --time-limit 2")));
    EXPECT_EQ(lost.code, 69) << lost.err;
    EXPECT_THAT(lost.err, HasSubstr("m.json holds the rounds so far"));
    std::filesystem::rename(folder_ / "m.json", folder_ / "part.json");
    const Outcome more = run(line(1, words("--trees 2 --max-depth 3", " --continue part.json")));
    EXPECT_EQ(more.code, 0) << more.err;
}

}  // namespace
}  // namespace regrove::test
