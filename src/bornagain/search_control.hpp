// What the workers of one search share: when to stop, what others are busy with, and counts.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "regrove/bornagain/memo.hpp"
#include "regrove/bornagain/tensor_kernels.hpp"

namespace regrove::bornagain {

/// Thrown through a worker's recursion when the search ends before its question is answered.
struct SearchEnded {};

/// The states that one worker is expanding, innermost last; others read it without locks, as a hint.
class BusyStack {
  public:
    static constexpr std::size_t k_deepest = 512;
    void push(const StateKey& key) {
        const std::size_t at = size_.load(std::memory_order_relaxed);
        if (at < k_deepest) keys_[at].store(key.low ^ key.high, std::memory_order_relaxed);
        size_.store(at + 1, std::memory_order_release);
    }
    void pop() { size_.store(size_.load(std::memory_order_relaxed) - 1, std::memory_order_release); }
    bool holds(const StateKey& key) const {
        const std::size_t size = std::min(size_.load(std::memory_order_acquire), k_deepest);
        for (std::size_t i = 0; i < size; ++i)
            if (keys_[i].load(std::memory_order_relaxed) == (key.low ^ key.high)) return true;
        return false;
    }

  private:
    std::atomic<std::size_t> size_{0};
    std::array<std::atomic<std::uint64_t>, k_deepest> keys_{};
};

class SearchControl {
  public:
    SearchControl(Memo& shared_memo, std::uint32_t workers, const TensorKernels& chosen_kernels = tensor_kernels())
        : memo(shared_memo), kernels(chosen_kernels), stacks(workers) {}

    Memo& memo;
    const TensorKernels& kernels;
    std::vector<BusyStack> stacks;
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

    bool is_busy(std::uint32_t worker, const StateKey& key, std::uint32_t cells) const {
        for (std::uint32_t i = 0; i < stacks.size(); ++i)
            if (i != worker && stacks[i].holds(key)) return true;
        return is_elsewhere && cells >= k_shared_cells && is_elsewhere(key);
    }
};

}  // namespace regrove::bornagain
