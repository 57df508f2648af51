// Doubles as integer multiples of one power of two, so that what cancels in a polynomial cancels exactly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/core/int128.hpp"

namespace regrove::algebra {

/// Doubles are multiples of 2^unit_exponent. Integers of this many bits and more are refused, which leaves room for sums.
constexpr int k_largest_bits = 122;

/// The largest and smallest bit that any of some doubles has.
class BitRange {
  public:
    void add(double value);
    bool empty() const { return high_ < low_; }
    /// All values are multiples of 2^low() and smaller than 2^high(). Zeros count for nothing.
    int low() const { return low_; }
    int high() const { return high_; }

  private:
    int low_ = 2000;
    int high_ = -2000;
};

/// value / 2^unit_exponent, rounded to nearest, ties to even; exact when the value is a multiple. The quotient must fit
/// k_largest_bits.
Int128 to_fixed(double value, int unit_exponent);
/// number * 2^unit_exponent, rounded once to nearest, ties to even.
double to_double(Int128 number, int unit_exponent);
/// Doubles, largest first, whose sum is exactly number * 2^unit_exponent: at most three; none for zero.
std::vector<double> exact_parts(Int128 number, int unit_exponent);

/// Throw LimitError when the result leaves 128 bits.
Int128 add_exactly(Int128 a, Int128 b);
Int128 subtract_exactly(Int128 a, Int128 b);

}  // namespace regrove::algebra
