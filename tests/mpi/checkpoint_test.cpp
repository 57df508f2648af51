// Generations on ranks: records go to whoever owns their shard, whatever the number of ranks that wrote them.
#include "regrove/store/checkpoint.hpp"

#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "regrove/core/error.hpp"

#include "support/checkpoint_cases.hpp"
#include "support/mpi_world.hpp"

namespace regrove::store {
namespace {

using test::MemoEntry;
using test::world;
namespace fs = std::filesystem;

/// One folder for all ranks, that goes away with the test.
class RankFolder {
  public:
    RankFolder() {
        if (world().is_root())
            path_ = (fs::temp_directory_path() / ("regrove_checkpoint_" + std::to_string(getpid()))).string();
        world().broadcast(path_);
    }
    ~RankFolder() {
        world().barrier();
        if (world().is_root()) fs::remove_all(path_);
        world().barrier();
    }
    RankFolder(const RankFolder&) = delete;
    RankFolder& operator=(const RankFolder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

void save(comm::Communicator& comm, CheckpointStore& store, std::uint64_t begin, std::uint64_t end,
          std::uint64_t updates) {
    auto writer = store.begin(end);
    writer.append<MemoEntry>("memo", test::owned_entries(comm, writer.wants_all() ? 0 : begin, end, updates),
                             test::shard_of_entry);
    writer.put<MemoEntry>("frontier", test::owned_entries(comm, end, end + 100), test::shard_of_entry);
    writer.put_text("state", comm.is_root() ? "of the root" : "of another rank");
    ASSERT_TRUE(writer.commit().committed);
}

/// What all ranks of `comm` together find: entries in order of index.
std::vector<MemoEntry> all_found(comm::Communicator& comm, const CheckpointGeneration& generation) {
    std::vector<MemoEntry> own;
    const auto shards = shards_of_rank(comm.rank(), comm.size());
    for (const auto& [index, entry] : test::read_memo(generation)) {
        EXPECT_TRUE(shards.contains(test::shard_of_entry(entry)));
        own.push_back(entry);
    }
    auto all = comm.gather_all(std::span<const MemoEntry>(own));
    std::ranges::sort(all, {}, &MemoEntry::lower);
    return all;
}

std::vector<MemoEntry> expected_entries() {
    std::vector<MemoEntry> entries;
    for (std::uint64_t i = 0; i < 5500; ++i) entries.push_back(test::memo_entry(i, i < 4900 ? 0 : 1));
    return entries;
}

TEST(CheckpointOnRanks, RecordsComeBackToTheirOwners) {
    const RankFolder folder;
    {
        CheckpointStore store(world(), test::place_in(folder.path()), test::some_identity());
        save(world(), store, 0, 5000, 0);
        save(world(), store, 4900, 5500, 1);
    }
    CheckpointStore store(world(), test::place_in(folder.path()), test::some_identity());
    ASSERT_NE(store.resumed(), nullptr);
    EXPECT_EQ(store.resumed()->ranks(), world().size());
    EXPECT_EQ(store.resumed()->records("memo"), 5600U);
    EXPECT_EQ(store.resumed()->text("state"), "of the root");
    EXPECT_EQ(all_found(world(), *store.resumed()), expected_entries());
}

TEST(CheckpointOnRanks, OneRankReadsWhatManyWroteAndBack) {
    const RankFolder folder;
    {
        CheckpointStore store(world(), test::place_in(folder.path()), test::some_identity());
        save(world(), store, 0, 5000, 0);
    }
    world().barrier();
    if (world().is_root()) {
        const auto self = comm::make_self_communicator();
        CheckpointStore store(*self, test::place_in(folder.path()), test::some_identity());
        EXPECT_EQ(test::read_memo(*store.resumed()).size(), 5000U);
        EXPECT_EQ(store.resumed()->ranks(), world().size());
        save(*self, store, 4900, 5500, 1);
    }
    world().barrier();
    CheckpointStore store(world(), test::place_in(folder.path()), test::some_identity());
    EXPECT_EQ(store.resumed()->number(), 2U);
    EXPECT_EQ(store.resumed()->ranks(), 1);
    EXPECT_EQ(all_found(world(), *store.resumed()), expected_entries());
}

TEST(CheckpointOnRanks, AFailureOfOneRankIsEverybodys) {
    const RankFolder folder;
    auto place = test::place_in(folder.path());
    const int last = world().size() - 1;
    place.on_step = [&](std::string_view step) {
        // A folder where the last rank's file is to be: it cannot be made.
        if (step != "begun" || world().rank() != last) return;
        for (const auto& entry : fs::directory_iterator(folder.path())) {
            char name[32];
            std::snprintf(name, sizeof name, "rank-%04d.h5", last);
            if (entry.is_directory() && !fs::exists(entry.path() / "manifest.json"))
                fs::create_directories(entry.path() / name);
        }
    };
    CheckpointStore store(world(), place, test::some_identity());
    auto writer = store.begin(1);
    writer.put<MemoEntry>("frontier", test::owned_entries(world(), 0, 100), test::shard_of_entry);
    const auto outcome = writer.commit();
    EXPECT_FALSE(outcome.committed);
    EXPECT_FALSE(outcome.problem.empty());
    const auto all = world().gather_all(outcome.problem);
    EXPECT_EQ(std::ranges::count(all, outcome.problem), world().size());
    EXPECT_THROW(
        {
            auto second = store.begin(2);
            second.put<MemoEntry>("frontier", test::owned_entries(world(), 0, 100), test::shard_of_entry);
            second.commit(IfFailed::fail);
        },
        Error);
}

TEST(CheckpointOnRanks, ErrorsOfOpeningAreEverybodys) {
    const RankFolder folder;
    auto place = test::place_in(folder.path());
    place.resume = ResumeMode::require;
    try {
        CheckpointStore store(world(), place, test::some_identity());
        ADD_FAILURE() << "there is nothing to go on from";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::no_checkpoint);
    }
}

}  // namespace
}  // namespace regrove::store
