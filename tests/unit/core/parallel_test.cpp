// Parallel loops visit each index once, keep to the thread count, run inline with one thread and rethrow.
#include "regrove/core/parallel.hpp"

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove {
namespace {

struct ParallelTest : testing::TestWithParam<unsigned> {
    ParallelTest() { set_thread_count(GetParam()); }
    ~ParallelTest() override { set_thread_count(1); }
};

TEST_P(ParallelTest, VisitsEachIndexOnce) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
        std::vector<std::atomic<int>> visits(count);
        parallel_for(count, [&](std::size_t i) { ++visits[i]; });
        for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    }
}

TEST_P(ParallelTest, BlocksCoverTheRange) {
    for (const std::size_t grain : {1U, 3U, 10U, 11U}) {
        std::vector<std::atomic<int>> visits(10);
        parallel_for_blocks(10, grain, [&](std::size_t begin, std::size_t end) {
            EXPECT_EQ(begin % grain, 0U);
            EXPECT_LE(end - begin, grain);
            EXPECT_LT(begin, end);
            for (std::size_t i = begin; i < end; ++i) ++visits[i];
        });
        for (const auto& visit : visits) EXPECT_EQ(visit, 1);
    }
    parallel_for_blocks(0, 5, [](std::size_t, std::size_t) { FAIL() << "no rows, no block"; });
    EXPECT_THROW(parallel_for_blocks(5, 0, [](std::size_t, std::size_t) {}), InternalError);
}

TEST_P(ParallelTest, RethrowsAndWorksAfterwards) {
    EXPECT_THROW(parallel_for(100,
                              [](std::size_t i) {
                                  if (i == 57) throw std::out_of_range("57");
                              }),
                 std::out_of_range);
    std::atomic<int> sum{0};
    parallel_for(10, [&](std::size_t i) { sum += static_cast<int>(i); });
    EXPECT_EQ(sum, 45);
}

TEST_P(ParallelTest, KeepsToTheThreadCount) {
    std::atomic<unsigned> running{0};
    std::atomic<unsigned> most{0};
    parallel_for(40, [&](std::size_t) {
        const unsigned now = ++running;
        unsigned seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --running;
    });
    EXPECT_LE(most, GetParam());
    EXPECT_GE(most, 1U);
    EXPECT_EQ(thread_count(), GetParam());
}

TEST_P(ParallelTest, LoopsMayBeNested) {
    std::atomic<int> visits{0};
    parallel_for(8, [&](std::size_t) { parallel_for(8, [&](std::size_t) { ++visits; }); });
    EXPECT_EQ(visits, 64);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelTest, testing::Values(1U, 2U, 4U));

TEST(Parallel, OneThreadRunsInlineInOrder) {
    set_thread_count(1);
    std::vector<std::size_t> order;
    const auto caller = std::this_thread::get_id();
    parallel_for(50, [&](std::size_t i) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        order.push_back(i);
    });
    std::vector<std::size_t> expected(50);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(order, expected);
}

/// Whether `threads` bodies were ever all at work at once.
bool all_meet(int threads) {
    std::atomic<int> arrived{0};
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallel_for(static_cast<std::size_t>(threads), [&](std::size_t) {
        ++arrived;
        while (arrived < threads && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    });
    return std::chrono::steady_clock::now() < limit;
}

TEST(Parallel, ThreadsReallyRunTogether) {
    for (const unsigned threads : {2U, 4U, 3U}) {
        set_thread_count(threads);
        EXPECT_TRUE(all_meet(static_cast<int>(threads))) << threads;
    }
    set_thread_count(1);
}

TEST(Parallel, ZeroThreadsIsABug) { EXPECT_THROW(set_thread_count(0), InternalError); }

}  // namespace
}  // namespace regrove
