// What the workers of one search share: when to stop, what others are busy with, and counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "regrove/bornagain/busy_stack.hpp"
#include "regrove/bornagain/memo.hpp"
#include "regrove/bornagain/tensor_kernels.hpp"

namespace regrove::bornagain {

/// Thrown through a worker's recursion when the search ends before its question is answered.
struct SearchEnded {};

class SearchControl {
  public:
    /// `host_stacks`: of the workers of all processes that share the memo, this one's from `first_stack` on; empty: it is
    /// alone.
    SearchControl(Memo& shared_memo, std::uint32_t worker_count,
                  const TensorKernels& chosen_kernels = tensor_kernels(), std::span<BusyStack> host_stacks = {},
                  std::uint32_t first_stack = 0)
        : memo(shared_memo),
          kernels(chosen_kernels),
          workers(worker_count),
          own_stacks_(host_stacks.empty() ? worker_count : 0),
          stacks_(host_stacks.empty() ? std::span<BusyStack>(own_stacks_) : host_stacks),
          first_stack_(first_stack) {}

    Memo& memo;
    const TensorKernels& kernels;
    std::uint32_t workers = 1;  ///< of this process
    /// Looked at by worker 0 between expansions; true ends the search.
    std::function<bool()> poll = [] { return false; };
    /// A state of another process that should rather do it: a hint like busy.
    std::function<bool(const StateKey&)> is_elsewhere;
    /// This process among those that search together.
    std::uint32_t process = 0;
    std::uint32_t processes = 1;
    std::atomic<bool> ended{false};
    std::atomic<bool> out_of_memory{false};
    std::atomic<std::uint64_t> expanded{0};

    /// States of fewer cells are solved sooner than other processes could be asked.
    static constexpr std::uint32_t k_shared_cells = 256;

    BusyStack& stack_of(std::uint32_t worker) { return stacks_[first_stack_ + worker]; }
    bool is_busy(std::uint32_t worker, const StateKey& key, std::uint32_t cells) const {
        for (std::uint32_t i = 0; i < stacks_.size(); ++i)
            if (i != first_stack_ + worker && stacks_[i].holds(key)) return true;
        return is_elsewhere && cells >= k_shared_cells && is_elsewhere(key);
    }
    /// Whether somebody else works on the same states.
    bool shares_work() const { return stacks_.size() > 1 || is_elsewhere != nullptr; }

  private:
    std::vector<BusyStack> own_stacks_;
    std::span<BusyStack> stacks_;
    std::uint32_t first_stack_ = 0;
};

}  // namespace regrove::bornagain
