// Short orders by exchanges, long ones by the network, whose halves take turns at being changed by a keyed mix of the
// other.
#include "regrove/core/keyed_permutation.hpp"

#include <bit>
#include <numeric>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/random.hpp"

namespace regrove {

namespace {

/// Every bit of the result depends on every bit of `x`: the finisher of SplitMix64 (Steele, Lea and Flood 2014, with
/// Stafford's constants, variant 13).
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

/// Fisher and Yates' exchanges: every order equally often.
std::vector<std::uint64_t> drawn_order(const CounterRandom& random, std::uint64_t size) {
    std::vector<std::uint64_t> order(size);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    for (std::uint64_t left = size; left > 1; --left) std::swap(order[left - 1], order[random.below(left - 1, left)]);
    return order;
}

}  // namespace

KeyedPermutation::KeyedPermutation(std::uint64_t seed, std::uint64_t stream, std::uint64_t size) : size_(size) {
    REGROVE_CHECK(size <= std::uint64_t{1} << 63U);
    const CounterRandom random(seed, stream);
    if (size <= k_most_kept) {
        kept_ = drawn_order(random, size);
        return;
    }
    const auto bits = static_cast<unsigned>(std::bit_width(size - 1));
    high_bits_ = bits / 2;
    low_bits_ = bits - high_bits_;
    for (std::size_t round = 0; round < keys_.size(); ++round) keys_[round] = random.bits(round);
}

std::uint64_t KeyedPermutation::walk(std::uint64_t number) const {
    const std::uint64_t low_mask = (std::uint64_t{1} << low_bits_) - 1;
    const std::uint64_t high_mask = (std::uint64_t{1} << high_bits_) - 1;
    std::uint64_t low = number & low_mask;
    std::uint64_t high = number >> low_bits_;
    for (std::size_t round = 0; round < keys_.size(); round += 2) {
        low ^= mixed(high ^ keys_[round]) & low_mask;
        high ^= mixed(low ^ keys_[round + 1]) & high_mask;
    }
    return (high << low_bits_) | low;
}

std::uint64_t KeyedPermutation::operator()(std::uint64_t i) const {
    if (!kept_.empty()) return kept_[i];
    do i = walk(i);
    while (i >= size_);
    return i;
}

}  // namespace regrove
