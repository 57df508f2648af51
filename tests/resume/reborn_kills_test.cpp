// Searches for born-again trees that are killed, stopped or short of something go on to the bytes of an undisturbed one.
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

std::string forest(const std::string& set, int fold) {
    return REGROVE_TEST_DATA "/ba_trees/forests/" + set + "/" + set + ".RF" + std::to_string(fold) + ".txt";
}

struct Search {
    std::string forest;
    std::string objective;
};

struct Written {
    std::string tree;
    std::string certificate;
    friend bool operator==(const Written&, const Written&) = default;
};

class RebornKills : public CliTest {
  protected:
    /// Without --overwrite: a search that goes on replaces what it has left itself.
    static constexpr const char* k_checkpoint = " --checkpoint ck --checkpoint-every 0.1";

    static std::string words(const Search& search, const std::string& more) {
        return "reborn -q --threads 1 --model " + search.forest + " --objective " + search.objective +
               " --output T.json --summary s.json" + more;
    }
    /// Every rank leaves its process id behind, so that any can be killed.
    static std::string line(int ranks, const std::string& words) {
        if (ranks == 1) return "echo $$ > pid.0; exec \"$REGROVE\" " + words;
        return "exec mpirun -n " + std::to_string(ranks) +
               " sh -c 'echo $$ > pid.$OMPI_COMM_WORLD_RANK; exec \"$REGROVE\" " + words + "'";
    }
    Written written() const { return {read("T.json"), read("T.certificate.json")}; }
    void forget() const {
        for (const char* name : {"T.json", "T.certificate.json", "s.json"}) std::filesystem::remove(folder_ / name);
        std::filesystem::remove_all(folder_ / "ck");
    }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }
    nlohmann::json certificate() const { return nlohmann::json::parse(read("T.certificate.json")); }

    /// What an undisturbed search on one rank writes; `seconds`: its time in all, `states`: those that it expanded.
    Written undisturbed(const Search& search) {
        const auto start = std::chrono::steady_clock::now();
        const Outcome outcome = run(line(1, words(search, "")));
        seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        states_ = summary()["result"]["states"];
        EXPECT_EQ(certificate()["optimal"], true);
        const Written expected = written();
        forget();
        return expected;
    }

    std::uint64_t draw(std::uint64_t below) { return random_.below(drawn_++, below); }

    static void pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

    /// Kills one of the ranks after a while; false when they had come to their end.
    bool run_and_kill(const Search& search, int ranks, double after) {
        for (int rank = 0; rank < 4; ++rank) std::filesystem::remove(folder_ / ("pid." + std::to_string(rank)));
        std::filesystem::remove(folder_ / "s.json");  // a rank may be killed after the summary was written
        const pid_t child = start(line(ranks, words(search, k_checkpoint)));
        const std::string victim = "pid." + std::to_string(draw(static_cast<std::uint64_t>(ranks)));
        for (int i = 0; i < 2000 && read(victim).empty(); ++i) pause(0.005);
        pause(after);
        kill(static_cast<pid_t>(std::stol(read(victim))), SIGKILL);
        const Outcome outcome = wait_for(child);
        EXPECT_EQ(outcome.err.find("damaged"), std::string::npos) << outcome.err;
        EXPECT_TRUE(outcome.code == 0 || outcome.code == 128 + SIGKILL) << outcome.code << "\n" << outcome.err;
        return outcome.code != 0;
    }

    /// Kills and goes on until the search ends, again and again until there were `kills`; ranks below `most_ranks`.
    void kill_often(const Search& search, int kills, int most_ranks) {
        SCOPED_TRACE(search.forest + " " + search.objective);
        const Written expected = undisturbed(search);
        bool resumed = false;  // some kills come before there is a checkpoint
        while (kills > 0) {
            forget();
            bool killed = true;
            while (killed) {
                const int ranks = 1 + static_cast<int>(draw(static_cast<std::uint64_t>(most_ranks)));
                const double after = seconds_ * static_cast<double>(draw(1000)) / 1000 + (ranks > 1 ? 0.3 : 0);
                killed = run_and_kill(search, ranks, after);
                ASSERT_FALSE(HasFailure());
                if (killed && --kills <= 0) break;
            }
            std::filesystem::remove(folder_ / "s.json");
            const Outcome last = run(line(1 + static_cast<int>(draw(2)), words(search, k_checkpoint)));
            ASSERT_EQ(last.code, 0) << last.err;
            EXPECT_TRUE(written() == expected);
            resumed = resumed || summary()["details"]["checkpoints"].contains("resumed_from");
        }
        EXPECT_TRUE(resumed);
    }

    /// The tree that is there decides as the ensemble does, and its certificate claims no more than it may.
    void tree_is_faithful(const Search& search) const {
        const Outcome equal = regrove("verify " + search.forest + " T.json --what class");
        EXPECT_EQ(equal.code, 0) << equal.out << equal.err;
        const auto claims = certificate();
        EXPECT_EQ(claims["optimal"], false);
        EXPECT_LT(claims["lower_bound"], claims["value"]);
        EXPECT_GT(claims["lower_bound"], 1);
    }

    double seconds_ = 0;
    std::uint64_t states_ = 0;

  private:
    CounterRandom random_{17, 0x7465737400000003U};
    std::uint64_t drawn_ = 0;
};

const Search k_depth{forest("Breast-Cancer-Wisconsin", 10), "depth"};
const Search k_leaves{forest("Seeds", 5), "leaves"};
const Search k_depth_leaves{forest("Seeds", 8), "depth-leaves"};
/// Not done within any of the limits below.
const Search k_long{forest("Breast-Cancer-Wisconsin", 3), "depth"};

TEST_F(RebornKills, DepthOnOneRank) { kill_often(k_depth, 6, 1); }
TEST_F(RebornKills, LeavesOnOneRank) { kill_often(k_leaves, 6, 1); }
TEST_F(RebornKills, DepthOnOneToFourRanks) { kill_often(k_depth, 3, 4); }
TEST_F(RebornKills, LeavesOnOneToFourRanks) { kill_often(k_leaves, 3, 4); }
TEST_F(RebornKills, DepthLeavesOnOneToFourRanks) { kill_often(k_depth_leaves, 3, 4); }

TEST_F(RebornKills, Usr1SavesStopsAndGoesOnWithLessToDo) {
    const Written expected = undisturbed(k_depth_leaves);
    const pid_t child = start(line(1, words(k_depth_leaves, " --checkpoint ck --checkpoint-every 0")));
    pause(seconds_ / 2);
    kill(child, SIGUSR1);
    const Outcome stopped = wait_for(child);
    ASSERT_EQ(stopped.code, 75) << stopped.err;
    EXPECT_THAT(stopped.err, AllOf(HasSubstr("stopped, as asked"), HasSubstr("in 'ck' holds the rest"),
                                   HasSubstr("the best faithful tree is written")));
    tree_is_faithful(k_depth_leaves);
    const Outcome ended = run(line(1, words(k_depth_leaves, " --checkpoint ck --checkpoint-every 0")));
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(written() == expected);
    EXPECT_LT(summary()["result"]["states"], states_);
}

TEST_F(RebornKills, Usr1OnRanksGoesOnOnOthers) {
    const Written expected = undisturbed(k_leaves);
    const pid_t child = start(line(2, words(k_leaves, " --checkpoint ck --checkpoint-every 0")));
    for (int i = 0; i < 2000 && read("pid.1").empty(); ++i) pause(0.005);
    pause(0.5 + seconds_ / 3);
    kill(child, SIGUSR1);
    const Outcome stopped = wait_for(child);
    ASSERT_TRUE(stopped.code == 75 || stopped.code == 0) << stopped.code << stopped.err;
    const Outcome ended = run(line(3, words(k_leaves, " --checkpoint ck --checkpoint-every 0 --overwrite")));
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(written() == expected);
}

TEST_F(RebornKills, TheTimeLimitLeavesAFaithfulTreeAndSaysWhetherThereIsAWayOn) {
    const Outcome saved = run(line(1, words(k_long, " --time-limit 2 --checkpoint ck")));
    EXPECT_EQ(saved.code, 75) << saved.err;
    EXPECT_THAT(saved.err, HasSubstr("stopped, as the time is over"));
    EXPECT_LT(summary()["seconds"]["total"], 4.0);
    tree_is_faithful(k_long);
    const double first_bound = certificate()["lower_bound"];
    const Outcome again = run(line(2, words(k_long, " --time-limit 3 --checkpoint ck")));
    EXPECT_EQ(again.code, 75) << again.err;
    EXPECT_GE(certificate()["lower_bound"], first_bound);
    forget();
    const Outcome lost = run(line(1, words(k_long, " --time-limit 2")));
    EXPECT_EQ(lost.code, 69) << lost.err;
    EXPECT_THAT(lost.err, AllOf(HasSubstr("the time is over"), HasSubstr("without --checkpoint")));
    tree_is_faithful(k_long);
}

TEST_F(RebornKills, TheMemoryLimitLeavesAFaithfulTree) {
    const Outcome full = run(line(1, words(k_long, " --memory-limit 24MiB --time-limit 60")));
    EXPECT_EQ(full.code, 69) << full.err;
    EXPECT_THAT(full.err, AllOf(HasSubstr("--memory-limit"), HasSubstr("the best faithful tree is written")));
    tree_is_faithful(k_long);
}

}  // namespace
}  // namespace regrove::test
