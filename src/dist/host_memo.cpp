#include "regrove/dist/host_memo.hpp"

#include <algorithm>
#include <new>

#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/shared_region.hpp"

namespace regrove::dist {

namespace {

using bornagain::BusyStack;
using bornagain::Memo;
using bornagain::MemoSpace;

/// Room for the blocks that a memo has given back when it grew, beside those it uses.
constexpr std::uint64_t k_room_factor = 2;

/// Pages that are never written take no memory.
std::uint64_t reserved_bytes(std::uint64_t bytes, std::uint32_t ranks) {
    const std::uint64_t physical =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t most = k_room_factor * physical;
    return bytes == 0 ? most : std::min(most, k_room_factor * bytes * ranks);
}

/// What lies in shared memory beside the memo, in front of the stacks.
struct alignas(64) Calls {
    std::atomic<std::uint64_t> count{0};
};

}  // namespace

/// Where a rank is and how many stacks it needs.
struct HostMemo::Seat {
    std::uint64_t host = 0;
    std::uint64_t workers = 0;
};

/// Memory that the first rank of a host has made for it.
struct HostMemo::Offer {
    SharedRegion::Handle handle;
    std::uint64_t bytes = 0;
    MemoSpace::Place beside = 0;  ///< of what lies beside the memo; zero: there is no memory
};

HostMemo::HostMemo(comm::Communicator& comm, bool share, std::uint64_t bytes)
    : ranks_here_(static_cast<std::size_t>(comm.size()), false) {
    const auto own = static_cast<std::size_t>(comm.rank());
    ranks_here_[own] = true;
    everyone_here_ = comm.size() == 1;
    // Alone, too: tables that have grown give their memory back, where a heap would keep it in pieces.
    if (share || comm.size() == 1) share_with(comm, comm.gather_all(Seat{host_identity(), thread_count()}), bytes);
    if (!memo_) memo_.emplace();
}

void HostMemo::find_beside(MemoSpace::Place place, std::uint32_t stacks) {
    auto* const calls = memo_->space().at<Calls>(place);
    calls_ = &calls->count;
    stacks_ = {reinterpret_cast<BusyStack*>(calls + 1), stacks};
}

/// All ranks share or none does, so that they agree on what there is to exchange.
void HostMemo::share_with(comm::Communicator& comm, const std::vector<Seat>& seats, std::uint64_t bytes) {
    const auto own = static_cast<std::size_t>(comm.rank());
    std::size_t first = seats.size();
    std::uint32_t ranks = 0;
    std::uint32_t number = 0;
    std::uint32_t stacks = 0;
    for (std::size_t rank = 0; rank < seats.size(); ++rank) {
        if (seats[rank].host != seats[own].host) continue;
        first = std::min(first, rank);
        if (rank == own) {
            first_stack_ = stacks;
            number = ranks;
        }
        stacks += static_cast<std::uint32_t>(seats[rank].workers);
        ++ranks;
    }
    Offer offer;
    bool is_in = true;
    const auto attempt = [&is_in](const auto& work) {
        try {
            work();
        } catch (const std::exception&) {
            is_in = false;
        }
    };
    if (own == first)
        attempt([&] {
            SharedRegion region = SharedRegion::create(reserved_bytes(bytes, ranks));
            offer = {region.handle(), region.size(), 0};
            memo_.emplace(MemoSpace(std::move(region), {number, ranks}));
            offer.beside = memo_->space().allocate(sizeof(Calls) + stacks * sizeof(BusyStack));
            find_beside(offer.beside, stacks);
            new (calls_) std::atomic<std::uint64_t>(0);
            for (BusyStack& stack : stacks_) new (&stack) BusyStack;
        });
    const std::vector<Offer> offers = comm.gather_all(offer);
    const Offer& found = offers[first];
    is_in = is_in && found.beside != 0;
    if (own != first && is_in)
        attempt([&] {
            memo_.emplace(MemoSpace(SharedRegion::join(found.handle, found.bytes), {number, ranks}));
            find_beside(found.beside, stacks);
        });
    if (comm.sum(std::uint64_t{is_in ? 0U : 1U}) != 0) {
        memo_.reset();
        stacks_ = {};
        calls_ = nullptr;
        first_stack_ = 0;
        return;
    }
    for (std::size_t rank = 0; rank < seats.size(); ++rank) ranks_here_[rank] = seats[rank].host == seats[own].host;
    everyone_here_ = ranks == seats.size();
}

}  // namespace regrove::dist
