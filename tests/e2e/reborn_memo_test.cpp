// What one search for a born-again tree has proven saves others work, changes no result, and is never half-written.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {
namespace {

using testing::HasSubstr;

std::string forest(const std::string& set, int fold) {
    return REGROVE_TEST_DATA "/ba_trees/forests/" + set + "/" + set + ".RF" + std::to_string(fold) + ".txt";
}

class RebornMemo : public CliTest {
  protected:
    static std::string words(const std::string& model, const std::string& objective, const std::string& more) {
        return "reborn -q --threads 1 --overwrite --model " + model + " --objective " + objective +
               " --output T.json --summary s.json " + more;
    }
    struct Result {
        std::string tree;
        std::string certificate;
        nlohmann::json summary;
    };
    Result result(const Outcome& outcome) const {
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return {read("T.json"), read("T.certificate.json"), nlohmann::json::parse(read("s.json"))};
    }
    Result search(const std::string& model, const std::string& objective, const std::string& more = "") const {
        return result(regrove(words(model, objective, more)));
    }
    static void expect_same(const Result& found, const Result& expected) {
        EXPECT_TRUE(found.tree == expected.tree);
        EXPECT_TRUE(found.certificate == expected.certificate);
    }
    static std::uint64_t states(const Result& found) { return found.summary["result"]["states"]; }
    static std::uint64_t detail(const Result& found, const char* name) { return found.summary["details"][name]; }

    const std::string seeds_ = forest("Seeds", 3);
};

TEST_F(RebornMemo, ChangesNothingButTheWork) {
    for (const std::string objective : {"depth", "leaves", "depth-leaves"}) {
        SCOPED_TRACE(objective);
        std::filesystem::remove(folder_ / "m.h5");
        const Result alone = search(seeds_, objective);
        const Result first = search(seeds_, objective, "--memo m.h5");
        expect_same(first, alone);
        EXPECT_EQ(states(first), states(alone));
        EXPECT_EQ(detail(first, "memo_entries_read"), 0U);
        EXPECT_GT(detail(first, "memo_entries_written"), 100U);
        const Result again = search(seeds_, objective, "--memo m.h5");
        expect_same(again, alone);
        EXPECT_EQ(states(again), 0U);
        EXPECT_EQ(detail(again, "memo_entries_read"), detail(first, "memo_entries_written"));
        const Result together = result(regrove_on(3, words(seeds_, objective, "--memo m.h5")));
        expect_same(together, alone);
    }
}

TEST_F(RebornMemo, ServesOtherObjectivesAndOtherForests) {
    const Result alone = search(seeds_, "depth-leaves");
    search(seeds_, "depth", "--memo m.h5");
    search(seeds_, "leaves", "--memo m.h5");
    const Result helped = search(seeds_, "depth-leaves", "--memo m.h5");
    expect_same(helped, alone);
    EXPECT_LT(states(helped), states(alone));

    const std::string other = forest("Seeds", 2);
    const Result other_alone = search(other, "depth");
    const Result other_helped = search(other, "depth", "--memo m.h5");
    expect_same(other_helped, other_alone);
    EXPECT_LT(states(other_helped), states(other_alone));
    EXPECT_GT(detail(other_helped, "memo_entries_written"), detail(helped, "memo_entries_written"));
}

TEST_F(RebornMemo, IsKeptByAStoppedSearch) {
    const std::string large = forest("Breast-Cancer-Wisconsin", 3);
    const Outcome stopped = regrove(words(large, "depth", "--memo m.h5 --time-limit 2"));
    EXPECT_EQ(stopped.code, 69) << stopped.err;
    const auto summary = nlohmann::json::parse(read("s.json"));
    const std::uint64_t written = summary["details"]["memo_entries_written"];
    EXPECT_GT(written, 100U);
    const Outcome again = regrove(words(large, "depth", "--memo m.h5 --time-limit 2"));
    EXPECT_EQ(again.code, 69) << again.err;
    EXPECT_EQ(nlohmann::json::parse(read("s.json"))["details"]["memo_entries_read"], written);
}

TEST_F(RebornMemo, RefusesOthersFiles) {
    write("m.h5", "somebody's notes");
    const Outcome foreign = regrove(words(seeds_, "depth", "--memo m.h5"));
    EXPECT_EQ(foreign.code, 65) << foreign.err;
    EXPECT_THAT(foreign.err, HasSubstr("'m.h5' cannot be read as a memo"));
    EXPECT_EQ(read("m.h5"), "somebody's notes");
    EXPECT_FALSE(exists("T.json"));
    EXPECT_EQ(regrove(words(seeds_, "depth", "--memo none/m.h5")).code, 74);
    EXPECT_FALSE(exists("T.json"));
}

TEST_F(RebornMemo, SharedByStagesLeavesThemUpToDate) {
    const std::string stage = "model = \"" + seeds_ + "\"\nmemo = \"${run}/m.h5\"\n";
    write("r.toml", "[[stage]]\njob = \"reborn\"\nname = \"d\"\nobjective = \"depth\"\noutput = \"${run}/d.json\"\n" +
                        stage +
                        "[[stage]]\njob = \"reborn\"\nname = \"l\"\nobjective = \"leaves\"\noutput = "
                        "\"${run}/l.json\"\n" +
                        stage);
    for (const std::size_t ran : {2U, 0U}) {
        const Outcome outcome = regrove("run r.toml --dir r --overwrite --summary r.json");
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        const auto summary = nlohmann::json::parse(read("r.json"));
        EXPECT_EQ(summary["result"].value("ran", nlohmann::json::array()).size(), ran);
        EXPECT_TRUE(exists("r/m.h5"));
    }
}

}  // namespace
}  // namespace regrove::test
