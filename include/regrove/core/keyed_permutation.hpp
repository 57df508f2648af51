// A random order of [0, size) that no one has to store: where each number goes is a pure function of (seed, stream).
//
// A Feistel network permutes the smallest power of two that holds the range; a number that falls outside is sent on
// until it falls inside (cycle walking; Black and Rogaway, "Ciphers with arbitrary finite domains", 2002). Less than two
// walks of the network are expected, whatever the size. Ranks and threads need no message to agree on an order. Networks
// of few bits do not reach all orders equally often, so short orders are drawn by exchanges and kept.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace regrove {

/// A bijection of [0, size) onto itself. Orders of different (seed, stream) are independent.
class KeyedPermutation {
  public:
    /// `size` is at most 2^63. Draws from the random stream (seed, stream) at indices below 256.
    KeyedPermutation(std::uint64_t seed, std::uint64_t stream, std::uint64_t size);

    std::uint64_t size() const { return size_; }
    /// Where `i` < size() goes. O(1) expected.
    std::uint64_t operator()(std::uint64_t i) const;

  private:
    static constexpr std::uint64_t k_most_kept = 256;
    static constexpr std::size_t k_rounds = 10;

    std::uint64_t walk(std::uint64_t number) const;

    std::uint64_t size_;
    std::vector<std::uint64_t> kept_;  ///< the whole order when size() <= k_most_kept
    unsigned low_bits_ = 0;  ///< of the network's numbers; the others are the high bits, as many or one fewer
    unsigned high_bits_ = 0;
    std::array<std::uint64_t, k_rounds> keys_{};
};

}  // namespace regrove
