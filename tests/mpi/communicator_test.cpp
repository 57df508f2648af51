// Every collective against its plain definition, on whatever number of ranks the launcher gave.
#include "regrove/comm/communicator.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"

#include "support/mpi_world.hpp"

namespace regrove {
namespace {

using test::world;

TEST(Communicator, SumsIntegersOfAllWidths) {
    auto& comm = world();
    const std::int64_t ranks = comm.size();
    std::vector<std::int64_t> small{comm.rank(), -1};
    comm.sum(small);
    EXPECT_EQ(small, (std::vector<std::int64_t>{ranks * (ranks - 1) / 2, -ranks}));
    const Int128 big = static_cast<Int128>(1) << 90;
    std::vector<Int128> wide{big + comm.rank()};
    comm.sum(wide);
    EXPECT_TRUE(wide[0] == big * ranks + ranks * (ranks - 1) / 2);
    EXPECT_EQ(comm.max(std::uint64_t(comm.rank())), static_cast<std::uint64_t>(ranks - 1));
}

TEST(Communicator, ExclusiveSumStartsAtZero) {
    auto& comm = world();
    EXPECT_EQ(comm.exclusive_sum(std::uint64_t{3}), 3U * comm.rank());
}

TEST(Communicator, ExchangeDeliversUnevenAndEmptyPieces) {
    auto& comm = world();
    comm::Pieces<std::uint32_t> send;
    for (int to = 0; to < comm.size(); ++to) {
        const int count = (comm.rank() + to) % 3;  // some are empty
        send.counts.push_back(count);
        for (int i = 0; i < count; ++i) send.values.push_back(comm.rank() * 100 + to * 10 + i);
    }
    const auto received = comm.exchange(send);
    std::size_t at = 0;
    for (int from = 0; from < comm.size(); ++from) {
        ASSERT_EQ(received.counts[from], static_cast<std::uint64_t>((from + comm.rank()) % 3));
        for (std::uint64_t i = 0; i < received.counts[from]; ++i) {
            EXPECT_EQ(received.values[at++], from * 100 + comm.rank() * 10 + i);
        }
    }
    EXPECT_EQ(at, received.values.size());
}

TEST(Communicator, GathersTextsOfAnyLengthInRankOrder) {
    auto& comm = world();
    const auto texts = comm.gather_all(std::string(comm.rank() * 2, 'x') + std::to_string(comm.rank()));
    ASSERT_EQ(texts.size(), static_cast<std::size_t>(comm.size()));
    for (int r = 0; r < comm.size(); ++r) EXPECT_EQ(texts[r], std::string(r * 2, 'x') + std::to_string(r));
    const auto at_root = comm.gather(std::string(comm.rank(), 'y'));
    EXPECT_EQ(at_root.size(), comm.is_root() ? static_cast<std::size_t>(comm.size()) : 0U);
    for (std::size_t r = 0; r < at_root.size(); ++r) EXPECT_EQ(at_root[r], std::string(r, 'y'));
}

/// Concatenation of decimal digits: associative but not commutative, so a wrong order shows.
struct Digits {
    std::uint64_t value = 0;
    std::uint64_t scale = 1;
};
void join(Digits& into, const Digits& from) {
    into.value = into.value * from.scale + from.value;
    into.scale *= from.scale;
}

TEST(Communicator, MergesKeepRankOrder) {
    auto& comm = world();
    std::vector<Digits> all{{static_cast<std::uint64_t>(comm.rank() + 1), 10}};
    comm.merge_all(std::span<Digits>(all), join);
    std::uint64_t expected = 0;
    for (int r = 0; r < comm.size(); ++r) expected = expected * 10 + r + 1;
    EXPECT_EQ(all[0].value, expected);

    std::vector<Digits> higher{{static_cast<std::uint64_t>(comm.rank() + 1), 10}};
    comm.merge_from_higher(std::span<Digits>(higher), Digits{}, join);
    expected = 0;
    for (int r = comm.rank() + 1; r < comm.size(); ++r) expected = expected * 10 + r + 1;
    EXPECT_EQ(higher[0].value, expected);
}

TEST(Agreement, OneFailingRankFailsAllWithItsMessage) {
    auto& comm = world();
    const int failing = comm.size() - 1;
    try {
        comm::agree_on(comm, [&] {
            if (comm.rank() == failing) throw InputError("bad cell");
        });
        FAIL() << "nothing thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::data);
        EXPECT_NE(std::string(error.what()).find("bad cell"), std::string::npos);
    }
    EXPECT_EQ(comm::agree_on(comm, [&] { return comm.rank() + 1; }), comm.rank() + 1);
}

TEST(Communicator, CountsOnlyWhatLeavesTheRank) {
    auto& comm = world();
    const auto before = comm.traffic();
    comm::Pieces<std::uint8_t> send;
    send.counts.assign(comm.size(), 5);
    send.values.assign(comm.size() * 5, 1);
    std::vector<std::uint8_t> received(send.values.size());
    comm.exchange_known<std::uint8_t>(send.values, send.counts, received, send.counts);
    EXPECT_EQ(comm.traffic().bytes - before.bytes, 5U * (comm.size() - 1));
    EXPECT_EQ(comm.traffic().messages - before.messages, static_cast<std::uint64_t>(comm.size() - 1));
}

}  // namespace
}  // namespace regrove
