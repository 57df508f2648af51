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
    entry.bounds.lower = static_cast<std::uint32_t>(2 + i % 17);
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

std::string bytes_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

TEST_F(MemoFile, ComesBackFromItsOwners) {
    Memo memo;  // every rank knows everything; only owners write
    for (std::uint64_t i = 0; i < k_entries; ++i) memo.tighten(entry_of(i).key, entry_of(i).bounds);
    EXPECT_EQ(pipeline::save_memo(world(), path_, memo), k_entries);
    Memo found;
    const pipeline::MemoEntries entries = pipeline::load_memo(world(), path_, found);
    EXPECT_EQ(entries.in_file, k_entries);
    EXPECT_EQ(entries.taken_up, k_entries);
    const Bounds bounds = of_all_ranks(found);
    EXPECT_EQ(bounds.size(), k_entries);
    for (std::uint64_t i = 0; i < k_entries; ++i) {
        const MemoEntry entry = entry_of(i);
        const auto at = bounds.find(std::pair(entry.key.high, entry.key.low));
        ASSERT_NE(at, bounds.end()) << i;
        EXPECT_EQ(at->second, std::pair(entry.bounds.lower, entry.bounds.upper));
    }
}

TEST_F(MemoFile, BytesAreThoseOfOneRankWhoeverKnowsWhat) {
    const auto fill = [](Memo& memo, std::uint64_t i) { memo.tighten(entry_of(i).key, entry_of(i).bounds); };
    const auto ranks = static_cast<std::uint64_t>(world().size());
    Memo own;  // dealt out, some entries known to two, in two orders
    for (std::uint64_t i = k_entries; i-- > 0;)
        if ((i + static_cast<std::uint64_t>(world().rank())) % ranks < 2) fill(own, i);
    own.tighten({1, 2}, {});  // says nothing
    EXPECT_EQ(pipeline::save_memo(world(), path_, own), k_entries);
    const std::string together = bytes_of(path_);
    const std::string other = path_ + "-one";
    const auto alone = comm::make_self_communicator();
    if (world().is_root()) {
        Memo memo;
        for (std::uint64_t i = 0; i < k_entries; ++i) fill(memo, i);
        EXPECT_EQ(pipeline::save_memo(*alone, other, memo), k_entries);
        EXPECT_TRUE(bytes_of(other) == together);
        std::filesystem::remove(other);
    }
}

TEST_F(MemoFile, ASecondSearchAddsAndTightens) {
    Memo first;
    first.tighten({5, 77}, {3, 9});
    first.tighten({6, 77}, {4, bornagain::k_unbounded});
    first.tighten({6, std::uint64_t{1} << 63U}, {2, 2});
    pipeline::save_memo(world(), path_, first);
    Memo second;
    second.tighten({5, 77}, {2, 7});
    second.tighten({1, 1}, {2, 8});
    EXPECT_EQ(pipeline::save_memo(world(), path_, second), 4U);
    Memo found;
    pipeline::load_memo(world(), path_, found);
    const Bounds bounds = of_all_ranks(found);
    ASSERT_EQ(bounds.size(), 4U);
    EXPECT_EQ(bounds.at({77, 5}), std::pair(3U, 7U));
    EXPECT_EQ(bounds.at({77, 6}), std::pair(4U, bornagain::k_unbounded));
    EXPECT_EQ(bounds.at({1, 1}), std::pair(2U, 8U));
}

TEST_F(MemoFile, TakesUpWhatThereIsRoomForAndKeepsTheRest) {
    Memo memo;
    for (std::uint64_t i = 0; i < 10 * k_entries; ++i) memo.tighten(entry_of(i).key, {2, 3});
    pipeline::save_memo(world(), path_, memo);
    const std::uint64_t room = memo.bytes() / (2 * static_cast<std::uint64_t>(world().size()));
    Memo found;
    const pipeline::MemoEntries entries = pipeline::load_memo(world(), path_, found, room);
    EXPECT_EQ(entries.in_file, 10 * k_entries);
    EXPECT_GT(entries.taken_up, 0U);
    EXPECT_LT(entries.taken_up, entries.in_file);
    EXPECT_LE(found.bytes(), room);
    EXPECT_EQ(pipeline::save_memo(world(), path_, found), 10 * k_entries);
}

TEST_F(MemoFile, NoFileIsAnEmptyMemo) {
    Memo memo;
    EXPECT_EQ(pipeline::load_memo(world(), path_, memo).in_file, 0U);
    EXPECT_EQ(memo.size(), 0U);
    EXPECT_EQ(pipeline::save_memo(world(), path_, memo), 0U);
    EXPECT_EQ(pipeline::load_memo(world(), path_, memo).in_file, 0U);
}

TEST_F(MemoFile, DamageIsTold) {
    Memo memo;
    for (std::uint64_t i = 0; i < 100; ++i) memo.tighten(entry_of(i).key, entry_of(i).bounds);
    pipeline::save_memo(world(), path_, memo);
    const std::string good = bytes_of(path_);
    std::vector<std::string> bad{good.substr(0, good.size() - 1), good.substr(0, good.size() / 2), "regrove memo 0\n",
                                 "", good.substr(0, 8)};
    const auto at_record = [&](const void* bytes, std::size_t size) {
        return good.find(std::string(static_cast<const char*>(bytes), size));
    };
    const MemoEntry entry = entry_of(41);
    for (const std::size_t at : {at_record(&entry.key.low, 8), at_record(&entry.key.high, 8), std::size_t{3},
                                 good.find("regrove-memo"), good.find("xxh3_128")}) {
        ASSERT_NE(at, std::string::npos);
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
