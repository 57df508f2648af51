// A memo comes back from its file on any number of ranks, and damage is told.
#include "regrove/pipeline/memo_file.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"

#include "support/mpi_world.hpp"

namespace regrove {
namespace {

using bornagain::Memo;
using bornagain::MemoEntry;
using test::world;

/// A path that all ranks know, removed at the end.
class MemoFile : public testing::Test {
  protected:
    MemoFile() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        path_ = (std::filesystem::temp_directory_path() /
                 (std::string("regrove-memo-") + info->name() + "-" + std::to_string(getppid())))
                    .string();
        world().broadcast(path_);
    }
    ~MemoFile() override {
        world().barrier();
        if (world().is_root()) std::filesystem::remove(path_);
    }
    std::string path_;
};

constexpr std::uint64_t k_entries = 20000;

MemoEntry entry_of(std::uint64_t i) {
    const CounterRandom random(3, 0);
    MemoEntry entry;
    entry.key.low = random.bits(2 * i);
    entry.key.high = random.bits(2 * i + 1);
    entry.bounds.lower = static_cast<std::uint32_t>(i % 17);
    entry.bounds.upper = i % 3 == 0 ? bornagain::k_unbounded : entry.bounds.lower + 1;
    return entry;
}

using Bounds = std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::uint32_t, std::uint32_t>>;

/// The entries of all ranks' memos; fails when two have the same.
Bounds of_all_ranks(const Memo& memo) {
    std::vector<MemoEntry> own;
    for (std::uint32_t shard = 0; shard < Memo::k_shards; ++shard)
        memo.visit(shard, [&](const MemoEntry& entry) { own.push_back(entry); });
    Bounds all;
    for (const MemoEntry& entry : world().gather_all(std::span<const MemoEntry>(own))) {
        const bool is_new =
            all.emplace(std::pair(entry.key.high, entry.key.low), std::pair(entry.bounds.lower, entry.bounds.upper))
                .second;
        EXPECT_TRUE(is_new) << "an entry of two owners";
    }
    return all;
}

TEST_F(MemoFile, ComesBackFromItsOwners) {
    Memo memo;  // every rank knows everything; only owners write
    for (std::uint64_t i = 0; i < k_entries; ++i) memo.tighten(entry_of(i).key, entry_of(i).bounds);
    EXPECT_EQ(pipeline::save_memo(world(), path_, memo), k_entries);
    Memo found;
    EXPECT_EQ(pipeline::load_memo(world(), path_, found), k_entries);
    const Bounds bounds = of_all_ranks(found);
    EXPECT_EQ(bounds.size(), k_entries);
    for (std::uint64_t i = 0; i < k_entries; ++i) {
        const MemoEntry entry = entry_of(i);
        const auto at = bounds.find(std::pair(entry.key.high, entry.key.low));
        ASSERT_NE(at, bounds.end()) << i;
        EXPECT_EQ(at->second, std::pair(entry.bounds.lower, entry.bounds.upper));
    }
}

TEST_F(MemoFile, NoFileIsAnEmptyMemo) {
    Memo memo;
    EXPECT_EQ(pipeline::load_memo(world(), path_, memo), 0U);
    EXPECT_EQ(memo.size(), 0U);
    EXPECT_EQ(pipeline::save_memo(world(), path_, memo), 0U);
    EXPECT_EQ(pipeline::load_memo(world(), path_, memo), 0U);
}

TEST_F(MemoFile, DamageIsTold) {
    Memo memo;
    for (std::uint64_t i = 0; i < 100; ++i) memo.tighten(entry_of(i).key, entry_of(i).bounds);
    pipeline::save_memo(world(), path_, memo);
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    const std::string good = text.str();
    std::vector<std::string> bad{good.substr(0, good.size() - 1), good + "x", "regrove memo 0\n", "",
                                 good.substr(0, good.find('\n') + 1)};
    for (std::size_t at = 0; at < good.size(); at += 331) {
        bad.push_back(good);
        bad.back()[at] = static_cast<char>(bad.back()[at] ^ 4);
    }
    for (const std::string& bytes : bad) {
        world().barrier();
        if (world().is_root()) std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
        world().barrier();
        Memo found;
        try {
            pipeline::load_memo(world(), path_, found);
            ADD_FAILURE() << "taken: " << bytes.size() << " bytes";
        } catch (const Error& error) {  // over several ranks the agreed one
            EXPECT_EQ(error.code(), ExitCode::data);
        }
    }
}

}  // namespace
}  // namespace regrove
