// How many boxes one part of a proof may look at, and whether it has become pointless.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "regrove/prove/verdict.hpp"

namespace regrove::prove {

class Budget {
  public:
    /// `most`: boxes; `first_end` (may be null): the first part whose answer makes the later ones pointless, among
    /// them perhaps this one, `part`.
    Budget(const ProofLimits& limits, std::uint64_t most, const std::atomic<std::size_t>* first_end, std::size_t part)
        : limits_(&limits), most_(most), first_end_(first_end), part_(part) {}
    Budget(const ProofLimits& limits, std::uint64_t most) : Budget(limits, most, nullptr, 0) {}

    /// Counts a box; false when it may not be looked at any more.
    bool spend() {
        if (boxes_ == most_) return false;
        if (boxes_ % k_asks_every == 0 && is_over()) return false;
        ++boxes_;
        return true;
    }
    std::uint64_t boxes() const { return boxes_; }

  private:
    static constexpr std::uint64_t k_asks_every = 256;
    bool is_over() const { return limits_->stop() || (first_end_ != nullptr && first_end_->load() < part_); }

    const ProofLimits* limits_;
    std::uint64_t most_;
    const std::atomic<std::size_t>* first_end_;
    std::size_t part_;
    std::uint64_t boxes_ = 0;
};

constexpr std::uint64_t k_unlimited = std::numeric_limits<std::uint64_t>::max();

inline std::uint64_t most_boxes(const ProofLimits& limits) {
    return limits.max_boxes == 0 ? k_unlimited : limits.max_boxes;
}

}  // namespace regrove::prove
