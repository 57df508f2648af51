// Generations on one rank: what is written comes back, grows, is replaced, is dropped, and is refused.
#include "regrove/store/checkpoint.hpp"

#include <filesystem>
#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/store/checkpoint_archive.hpp"

#include "support/checkpoint_cases.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using test::MemoEntry;
using testing::HasSubstr;
namespace fs = std::filesystem;

class CheckpointTest : public testing::Test {
  protected:
    std::unique_ptr<CheckpointStore> open(const CheckpointIdentity& identity = test::some_identity()) {
        return std::make_unique<CheckpointStore>(*comm_, place_, identity);
    }

    /// Appends entries [begin, end) in their state after `updates` changes, and puts the frontier [end, end + 10).
    static CommitOutcome save(CheckpointStore& store, std::uint64_t begin, std::uint64_t end,
                              std::uint64_t updates = 0) {
        auto writer = store.begin(end);
        const auto self = comm::make_self_communicator();
        const std::uint64_t first = writer.wants_all() ? 0 : begin;
        writer.append<MemoEntry>("memo", test::owned_entries(*self, first, end, updates), test::shard_of_entry);
        writer.put<MemoEntry>("frontier", test::owned_entries(*self, end, end + 10), test::shard_of_entry);
        writer.put_text("state", "at " + std::to_string(end));
        return writer.commit();
    }

    std::vector<std::string> generations() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(place_.folder)) {
            if (fs::exists(entry.path() / "manifest.json")) names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    ExitCode code_of_opening(const CheckpointIdentity& identity = test::some_identity()) {
        try {
            open(identity);
        } catch (const Error& error) {
            message_ = error.what();
            return error.code();
        }
        return ExitCode::ok;
    }

    test::ScratchFolder scratch_;
    std::unique_ptr<comm::Communicator> comm_ = comm::make_self_communicator();
    CheckpointPlace place_ = test::place_in(scratch_.path("ckpt"));
    std::string message_;
};

TEST_F(CheckpointTest, NothingIsFoundInAnEmptyPlace) {
    EXPECT_EQ(open()->resumed(), nullptr);
    EXPECT_TRUE(generations().empty());
}

TEST_F(CheckpointTest, RecordsTextsAndStepComeBack) {
    {
        const auto store = open();
        const auto outcome = save(*store, 0, 5000);
        EXPECT_TRUE(outcome.committed) << outcome.problem;
        EXPECT_EQ(outcome.generation, 1U);
        EXPECT_GT(outcome.bytes, 5000 * sizeof(MemoEntry));
    }
    const auto store = open();
    const auto* found = store->resumed();
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->step(), 5000U);
    EXPECT_EQ(found->ranks(), 1);
    EXPECT_EQ(found->records("memo"), 5000U);
    EXPECT_EQ(found->records("nothing"), 0U);
    EXPECT_EQ(found->text("state"), "at 5000");
    EXPECT_EQ(found->text("nothing"), std::nullopt);
    const auto memo = test::read_memo(*found);
    ASSERT_EQ(memo.size(), 5000U);
    for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_EQ(memo.at(i), test::memo_entry(i));
}

TEST_F(CheckpointTest, RecordsComeWithTheirShardAndInTheirOrder) {
    {
        const auto store = open();
        auto writer = store->begin(1);
        const std::vector<std::uint32_t> first{1, 2};
        const std::vector<std::uint32_t> other{9};
        const std::vector<std::uint32_t> second{3};
        writer.append<std::uint32_t>("numbers", 7, first);
        writer.append<std::uint32_t>("numbers", 4095, other);
        writer.append<std::uint32_t>("numbers", 7, second);
        ASSERT_TRUE(writer.commit().committed);
    }
    const auto store = open();
    std::map<ShardId, std::vector<std::uint32_t>> found;
    store->resumed()->read<std::uint32_t>("numbers", [&](ShardId shard, std::span<const std::uint32_t> numbers) {
        found[shard].insert(found[shard].end(), numbers.begin(), numbers.end());
    });
    EXPECT_THAT(found, testing::ElementsAre(testing::Pair(7, testing::ElementsAre(1, 2, 3)),
                                            testing::Pair(4095, testing::ElementsAre(9))));
}

TEST_F(CheckpointTest, AppendedRecordsAreWrittenOnceAndTheLastStateHolds) {
    {
        const auto store = open();
        const auto all = save(*store, 0, 20000);
        const auto more = save(*store, 19000, 21000, 1);
        ASSERT_TRUE(all.committed && more.committed);
        EXPECT_LT(more.bytes, all.bytes / 4);
    }
    const auto store = open();
    EXPECT_EQ(store->resumed()->number(), 2U);
    EXPECT_EQ(store->resumed()->records("memo"), 22000U);
    EXPECT_EQ(store->resumed()->records("frontier"), 10U);
    const auto memo = test::read_memo(*store->resumed());
    ASSERT_EQ(memo.size(), 21000U);
    EXPECT_EQ(memo.at(18999), test::memo_entry(18999, 0));
    EXPECT_EQ(memo.at(19000), test::memo_entry(19000, 1));
    EXPECT_EQ(memo.at(20999), test::memo_entry(20999, 1));
}

TEST_F(CheckpointTest, KeepsTwoGenerationsAndWhatTheyReferTo) {
    const auto store = open();
    ASSERT_TRUE(save(*store, 0, 1000).committed);
    const auto first = generations().at(0);
    for (std::uint64_t n = 1; n < 5; ++n) ASSERT_TRUE(save(*store, 1000 + 10 * n, 1010 + 10 * n).committed);
    EXPECT_EQ(generations().size(), 2U);
    EXPECT_THAT(generations().back(), testing::StartsWith("gen-000005."));
    EXPECT_FALSE(fs::exists(place_.folder + "/" + first + "/manifest.json"));
    EXPECT_TRUE(fs::exists(place_.folder + "/" + first + "/rank-0000.h5"));
}

TEST_F(CheckpointTest, AChainEndsInAFullGenerationAndItsFilesGo) {
    place_.chain = 3;
    const auto store = open();
    std::vector<bool> full;
    for (std::uint64_t n = 0; n < 8; ++n) {
        auto writer = store->begin(n);
        full.push_back(writer.wants_all());
        writer.append<MemoEntry>("memo", test::owned_entries(*comm_, writer.wants_all() ? 0 : 1000 + n, 1001 + n),
                                 test::shard_of_entry);
        ASSERT_TRUE(writer.commit().committed);
    }
    EXPECT_THAT(full, testing::ElementsAre(true, false, false, true, false, false, true, false));
    EXPECT_EQ(generations().size(), 2U);
    std::size_t folders = 0;
    for (const auto& entry : fs::directory_iterator(place_.folder)) folders += entry.is_directory() ? 1U : 0U;
    EXPECT_EQ(folders, 2U);  // generations 7 and 8: nothing refers to the first six
    EXPECT_EQ(test::read_memo(*open()->resumed()).size(), 1008U);
}

TEST_F(CheckpointTest, AGenerationIsFullWhenAsMuchWasAppendedAsTheBaseHolds) {
    const auto store = open();
    ASSERT_TRUE(save(*store, 0, 1000).committed);
    ASSERT_TRUE(save(*store, 1000, 1600).committed);
    ASSERT_TRUE(save(*store, 1600, 2100).committed);
    EXPECT_TRUE(store->begin(0).wants_all());
}

TEST_F(CheckpointTest, AWriterThatIsGivenUpLeavesNothing) {
    const auto store = open();
    {
        auto writer = store->begin(1);
        writer.put<MemoEntry>("frontier", test::owned_entries(*comm_, 0, 500000), test::shard_of_entry);
    }
    for (const auto& entry : fs::directory_iterator(place_.folder))
        EXPECT_THAT(entry.path().filename().string(), testing::Not(testing::StartsWith("gen-")));
}

TEST_F(CheckpointTest, AnEmptyGenerationIsOneToo) {
    ASSERT_TRUE(open()->begin(42).commit().committed);
    const auto store = open();
    ASSERT_NE(store->resumed(), nullptr);
    EXPECT_EQ(store->resumed()->step(), 42U);
    EXPECT_TRUE(test::read_memo(*store->resumed()).empty());
}

TEST_F(CheckpointTest, RequireNeedsACheckpoint) {
    place_.resume = ResumeMode::require;
    EXPECT_EQ(code_of_opening(), ExitCode::no_checkpoint);
    EXPECT_FALSE(fs::exists(place_.folder));
    place_.resume = ResumeMode::automatic;
    save(*open(), 0, 10);
    place_.resume = ResumeMode::require;
    EXPECT_EQ(code_of_opening(), ExitCode::ok);
}

TEST_F(CheckpointTest, NeverRefusesCheckpointsUnlessTheyMayGo) {
    save(*open(), 0, 10);
    place_.resume = ResumeMode::never;
    EXPECT_EQ(code_of_opening(), ExitCode::cannot_create);
    EXPECT_EQ(generations().size(), 1U);
    place_.overwrite = true;
    EXPECT_EQ(open()->resumed(), nullptr);
    EXPECT_TRUE(generations().empty());
}

TEST_F(CheckpointTest, OtherOptionsInputsJobsAndFormatsAreRefusedByName) {
    save(*open(), 0, 10);
    auto other = test::some_identity();
    other.options[0].second = "4";
    EXPECT_EQ(code_of_opening(other), ExitCode::config);
    EXPECT_THAT(message_, HasSubstr("option max_depth is '4', in the checkpoint '3'"));
    other = test::some_identity();
    other.options.pop_back();
    EXPECT_EQ(code_of_opening(other), ExitCode::config);
    EXPECT_THAT(message_, HasSubstr("option objective is not there, in the checkpoint 'leaves'"));
    other = test::some_identity();
    other.inputs[0].second = "other";
    EXPECT_EQ(code_of_opening(other), ExitCode::data);
    EXPECT_THAT(message_, HasSubstr("input model is 'other'"));
    other = test::some_identity();
    other.job = "reborn";
    EXPECT_EQ(code_of_opening(other), ExitCode::config);
    other = test::some_identity();
    other.format = 2;
    EXPECT_EQ(code_of_opening(other), ExitCode::config);
    EXPECT_EQ(code_of_opening(), ExitCode::ok);
}

TEST_F(CheckpointTest, ARefusedRunDoesNotDisturbTheOneAtWork) {
    const auto store = open();
    save(*store, 0, 10);
    auto other = test::some_identity();
    other.job = "another";
    EXPECT_EQ(code_of_opening(other), ExitCode::config);
    EXPECT_TRUE(save(*store, 10, 20).committed);
}

TEST_F(CheckpointTest, TextsThatAreNotUtf8AreNoObstacle) {
    auto odd = test::some_identity();
    odd.options[0].second = "\xff\xfe";
    save(*open(odd), 0, 10);
    EXPECT_EQ(code_of_opening(odd), ExitCode::ok);
}

TEST_F(CheckpointTest, RecordsOfAnotherSizeAreRefused) {
    save(*open(), 0, 10);
    const auto store = open();
    EXPECT_THROW(store->resumed()->read<std::uint32_t>("memo", [](ShardId, std::span<const std::uint32_t>) {}),
                 FormatError);
}

TEST_F(CheckpointTest, NumbersRiseOverRuns) {
    EXPECT_EQ(save(*open(), 0, 10).generation, 1U);
    EXPECT_EQ(save(*open(), 0, 10).generation, 2U);
    EXPECT_EQ(save(*open(), 0, 10).generation, 3U);
}

struct SearchState {
    std::map<std::string, std::vector<std::uint64_t>> open;
    double bound = 0;
    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& open& bound;
    }
};

TEST_F(CheckpointTest, ArchivesOfObjectsComeBack) {
    {
        const auto store = open();
        auto writer = store->begin(1);
        writer.put_text("search", to_archive(SearchState{{{"left", {1, 2}}, {"right", {}}}, 0.1}));
        ASSERT_TRUE(writer.commit().committed);
    }
    const auto state = from_archive<SearchState>(open()->resumed()->text("search").value());
    EXPECT_THAT(state.open.at("left"), testing::ElementsAre(1, 2));
    EXPECT_EQ(state.open.size(), 2U);
    EXPECT_EQ(state.bound, 0.1);
    EXPECT_THROW(from_archive<SearchState>("no archive"), FormatError);
}

}  // namespace
}  // namespace regrove::store
