// The Philox4x32-10 block and the draws made from it.
#include "regrove/core/random.hpp"

#include "regrove/core/int128.hpp"
#include "regrove/core/portable_math.hpp"

namespace regrove {

namespace {

// Multipliers and Weyl increments of the SC11 paper, table 2 and section 3.3.
constexpr std::uint32_t k_multiplier_0 = 0xD2511F53U;
constexpr std::uint32_t k_multiplier_1 = 0xCD9E8D57U;
constexpr std::uint32_t k_weyl_0 = 0x9E3779B9U;
constexpr std::uint32_t k_weyl_1 = 0xBB67AE85U;
constexpr int k_rounds = 10;

constexpr std::uint32_t low_half(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
constexpr std::uint32_t high_half(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32U); }

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < k_rounds; ++round) {
        const std::uint64_t product_0 = std::uint64_t{k_multiplier_0} * counter[0];
        const std::uint64_t product_1 = std::uint64_t{k_multiplier_1} * counter[2];
        counter = {high_half(product_1) ^ counter[1] ^ key[0], low_half(product_1),
                   high_half(product_0) ^ counter[3] ^ key[1], low_half(product_0)};
        key[0] += k_weyl_0;
        key[1] += k_weyl_1;
    }
    return counter;
}

std::uint64_t CounterRandom::bits(std::uint64_t index) const {
    const auto block = philox4x32({low_half(index), high_half(index), low_half(stream_), high_half(stream_)},
                                  {low_half(seed_), high_half(seed_)});
    return (std::uint64_t{block[1]} << 32U) | block[0];
}

std::uint64_t CounterRandom::below(std::uint64_t index, std::uint64_t bound) const {
    return static_cast<std::uint64_t>((UInt128{bits(index)} * bound) >> 64U);
}

double CounterRandom::normal(std::uint64_t index) const {
    // The middle of one of 2^52 equal intervals: exact, and never 0 or 1.
    const double middle = static_cast<double>(bits(index) >> 12U) + 0.5;
    return portable::normal_quantile(middle * 0x1.0p-52);
}

}  // namespace regrove
