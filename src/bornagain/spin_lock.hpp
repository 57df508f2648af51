// A lock for a few instructions, between processes too.
#pragma once

#include <atomic>

namespace regrove::bornagain {

class SpinLock {
  public:
    void lock() {
        while (flag_.test_and_set(std::memory_order_acquire))
            while (flag_.test(std::memory_order_relaxed)) {
            }
    }
    void unlock() { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

}  // namespace regrove::bornagain
