// One memo for all ranks of a host: what one of them has proven, and what it is busy with, the others see at once.
//
// Where memory cannot be shared (another user, a container of its own), each rank has a memo of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "regrove/bornagain/busy_stack.hpp"
#include "regrove/bornagain/memo.hpp"
#include "regrove/comm/communicator.hpp"

namespace regrove::dist {

class HostMemo {
  public:
    /// Collective. `share` false: a memo a rank, as on hosts of their own. `bytes`: what a rank may use at most; zero: all
    /// that the host has.
    explicit HostMemo(comm::Communicator& comm, bool share = true, std::uint64_t bytes = 0);

    bornagain::Memo& memo() { return *memo_; }
    /// Of the workers (threads) of all ranks that share the memo; empty where memory cannot be shared.
    std::span<bornagain::BusyStack> stacks() const { return stacks_; }
    /// The first one of this rank.
    std::uint32_t first_stack() const { return first_stack_; }
    /// Whether this rank shares its memo with `rank`.
    bool is_here(int rank) const { return ranks_here_[static_cast<std::size_t>(rank)]; }
    /// Whether all ranks share one memo: then there is nothing to exchange.
    bool is_everyone_here() const { return everyone_here_; }
    /// Counts what the ranks of this host that are busy should come to soon; nothing where memory cannot be shared.
    std::atomic<std::uint64_t>* calls() const { return calls_; }

  private:
    struct Seat;
    struct Offer;

    void share_with(comm::Communicator& comm, const std::vector<Seat>& seats, std::uint64_t bytes);
    void find_beside(bornagain::MemoSpace::Place place, std::uint32_t stacks);

    std::optional<bornagain::Memo> memo_;
    std::span<bornagain::BusyStack> stacks_;
    std::atomic<std::uint64_t>* calls_ = nullptr;
    std::uint32_t first_stack_ = 0;
    std::vector<bool> ranks_here_;
    bool everyone_here_ = false;
};

}  // namespace regrove::dist
