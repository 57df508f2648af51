// Integers of any width, for sums of fractions that are to be rounded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "regrove/core/int128.hpp"

namespace regrove::algebra {

class WideInteger {
  public:
    WideInteger() = default;
    explicit WideInteger(Int128 number);

    bool is_zero() const { return words_.empty(); }
    bool is_negative() const { return negative_; }
    /// Of the magnitude: 0 for zero, 1 for one, 2 for two and three.
    std::size_t bits() const;

    void add(const WideInteger& other);
    void multiply(std::uint64_t factor);
    /// Towards zero; `divisor` is not zero. Returns the magnitude's remainder.
    std::uint64_t divide(std::uint64_t divisor);
    void shift_left(std::size_t bits);

    // Of the magnitude, bit 0 the lowest.
    bool bit(std::size_t at) const;
    bool any_bit_below(std::size_t at) const;
    /// Bits [at, at + 64).
    std::uint64_t bits_from(std::size_t at) const;

    friend bool operator==(const WideInteger&, const WideInteger&) = default;

  private:
    void drop_leading_zeros();

    bool negative_ = false;             ///< never of zero
    std::vector<std::uint64_t> words_;  ///< the magnitude, lowest word first, the last is not zero
};

/// number * 2^exponent / (the product of the divisors), rounded once to nearest, ties to even. Divisors are not zero.
double to_double(WideInteger number, int exponent, std::span<const std::uint64_t> divisors);

}  // namespace regrove::algebra
