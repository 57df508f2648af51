// Ranks wait for each other with a time limit: the way out when one failed alone.
#include "regrove/comm/arrival.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "support/mpi_world.hpp"

namespace regrove::comm {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(ArrivalTest, AllArriveEvenWhenOneIsLate) {
    Arrival arrival;
    if (test::world().is_root()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(arrival.all_arrive(60.0));
    EXPECT_TRUE(arrival.all_arrive(60.0));
}

TEST(ArrivalTest, GivesUpWhenOneRankNeverComesWhileOtherCollectivesGoOn) {
    if (test::world().size() == 1) return;
    // Left open on purpose: after a rank stayed away, a program has only MpiSession::abort left.
    auto* const arrival = new Arrival;
    const auto begin = std::chrono::steady_clock::now();
    const bool came = !test::world().is_root();
    if (came) {
        EXPECT_FALSE(arrival->all_arrive(0.1));
        EXPECT_GE(seconds_since(begin), 0.1);
    }
    EXPECT_EQ(test::world().sum(std::uint64_t{came}), static_cast<std::uint64_t>(test::world().size() - 1));
    if (!came) {
        EXPECT_TRUE(arrival->all_arrive(60.0));
    }
}

}  // namespace
}  // namespace regrove::comm
