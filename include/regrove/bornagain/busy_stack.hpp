// The states that one worker is expanding, innermost last; others read it without locks, as a hint.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "regrove/bornagain/cell_tensor.hpp"

namespace regrove::bornagain {

/// Works between processes, too: all zeros is an empty stack.
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

}  // namespace regrove::bornagain
