// What ranks tell each other while a boosted tree grows; growth itself knows no ranks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/train/boosting_layout.hpp"

namespace regrove::train {

/// Every call is collective: all ranks make the same calls in the same order.
class BoostingExchange {
  public:
    virtual ~BoostingExchange() = default;
    virtual int ranks() const = 0;
    virtual int rank() const = 0;
    /// Sums over all ranks, in place.
    virtual void sum(std::span<std::int64_t> values) = 0;
    /// `send` holds a piece for each rank, counts[r] long, one behind the other; `own` becomes the sum of all ranks'
    /// pieces for this rank.
    virtual void sum_pieces(std::span<const std::int64_t> send, std::span<const std::uint64_t> counts,
                            std::span<std::int64_t> own) = 0;
    /// All ranks' texts, in rank order.
    virtual std::vector<std::string> gather(const std::string& text) = 0;
};

/// One rank: nothing is copied.
class LoneExchange final : public BoostingExchange {
  public:
    int ranks() const override { return 1; }
    int rank() const override { return 0; }
    void sum(std::span<std::int64_t>) override {}
    void sum_pieces(std::span<const std::int64_t>, std::span<const std::uint64_t>, std::span<std::int64_t>) override {
    }
    std::vector<std::string> gather(const std::string& text) override { return {text}; }
};

/// Positions [begin, end) of a histogram that each rank owns: consecutive, of nearly equal numbers of words.
struct OwnedPositions {
    std::vector<std::uint32_t> begins;  ///< a rank, and the number of positions at the end

    OwnedPositions(const HistogramLayout& layout, int ranks);
    std::uint32_t begin(int rank) const { return begins[static_cast<std::size_t>(rank)]; }
    std::uint32_t end(int rank) const { return begins[static_cast<std::size_t>(rank) + 1]; }
    int owner(std::uint32_t position) const;
};

}  // namespace regrove::train
