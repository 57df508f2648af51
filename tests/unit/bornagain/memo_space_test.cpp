// A memo in shared memory is one memo for all who have joined it, however much it grows.
#include <thread>

#include <gtest/gtest.h>

#include "regrove/bornagain/memo.hpp"

namespace regrove::bornagain {
namespace {

constexpr std::uint64_t k_bytes = std::uint64_t{1} << 34U;

StateKey key(std::uint64_t i) { return {i * 0x9E3779B97F4A7C15U, i * 0xD6E8FEB86659FD93U}; }

TEST(MemoSpace, UsesReleasedBlocksAgain) {
    MemoSpace space(SharedRegion::create(std::uint64_t{1} << 20U), {0, 1});
    const MemoSpace::Place first = space.allocate(384);
    EXPECT_EQ(first, space.first_block());
    const MemoSpace::Place second = space.allocate(384);
    EXPECT_GE(second, first + 384);
    space.release(first, 384);
    EXPECT_NE(space.allocate(512), first);
    EXPECT_EQ(space.allocate(384), first);
    EXPECT_THROW(space.allocate(std::size_t{1} << 20U), std::bad_alloc);
}

TEST(MemoSpace, HoldsOneMemoForAll) {
    SharedRegion region = SharedRegion::create(k_bytes);
    SharedRegion joined = SharedRegion::join(region.handle(), k_bytes);
    Memo first(MemoSpace(std::move(region), {0, 2}));
    Memo second(MemoSpace(std::move(joined), {1, 2}));
    constexpr std::uint32_t entries = 20000;
    const auto fill = [](Memo& memo, std::uint32_t parity) {
        for (std::uint32_t i = parity; i < entries; i += 2) memo.tighten(key(i), {i, 2 * i + 1}, true);
    };
    first.record_changes(true);
    std::thread other([&] { fill(second, 1); });
    fill(first, 0);
    other.join();
    EXPECT_EQ(first.size(), entries);
    EXPECT_EQ(first.bytes(), second.bytes());
    EXPECT_GE(first.bytes() * 2, entries * sizeof(MemoEntry));
    for (std::uint32_t i = 0; i < entries; ++i) {
        StateBounds bounds;
        ASSERT_TRUE((i % 2 == 0 ? second : first).find(key(i), bounds));
        EXPECT_EQ(bounds, (StateBounds{i, 2 * i + 1}));
    }
    EXPECT_EQ(first.take_changes().size(), entries / 2);  // its own only
}

}  // namespace
}  // namespace regrove::bornagain
