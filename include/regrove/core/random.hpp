// Counter-based random numbers: the value at (seed, stream, index) is a pure function, the same on any rank or thread.
//
// Source: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC11).
#pragma once

#include <array>
#include <cstdint>

namespace regrove {

/// One block of Philox4x32-10: 128 random bits for a 128-bit counter and a 64-bit key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A stream of random numbers addressed by index. Streams with different (seed, stream) are independent.
class CounterRandom {
  public:
    CounterRandom(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

    /// 64 random bits at `index`.
    std::uint64_t bits(std::uint64_t index) const;

    /// Uniform in [0, 1): a multiple of 2^-53.
    double uniform(std::uint64_t index) const { return static_cast<double>(bits(index) >> 11) * 0x1.0p-53; }

    /// Uniform in [0, bound) without bias beyond 2^-64; `bound` > 0.
    std::uint64_t below(std::uint64_t index, std::uint64_t bound) const;

    /// Standard normal by inversion (Wichura, AS241) from exact arithmetic only: the same bits on every IEEE machine.
    double normal(std::uint64_t index) const;

  private:
    std::uint64_t seed_;
    std::uint64_t stream_;
};

}  // namespace regrove
