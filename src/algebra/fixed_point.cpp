// Splitting doubles into mantissa and exponent, and putting them together again with one rounding.
#include "regrove/algebra/fixed_point.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"

namespace regrove::algebra {

namespace {

constexpr int k_mantissa_bits = 53;

struct Split {
    std::int64_t mantissa = 0;  ///< value = mantissa * 2^exponent
    int exponent = 0;
};

Split split(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return {static_cast<std::int64_t>(std::ldexp(fraction, k_mantissa_bits)), exponent - k_mantissa_bits};
}

int bit_width(UInt128 number) {
    const auto high = static_cast<std::uint64_t>(number >> 64U);
    return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                     : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(number)));
}

UInt128 magnitude(Int128 number) {
    return number < 0 ? UInt128{0} - static_cast<UInt128>(number) : static_cast<UInt128>(number);
}

/// number / 2^shift, to nearest, ties to even.
UInt128 shifted_down(UInt128 number, int shift) {
    if (shift <= 0) return number;
    if (shift > 127) return 0;
    const UInt128 kept = number >> static_cast<unsigned>(shift);
    const UInt128 lost = number - (kept << static_cast<unsigned>(shift));
    const UInt128 half = UInt128{1} << static_cast<unsigned>(shift - 1);
    const bool up = lost > half || (lost == half && (kept & 1U) != 0);
    return up ? kept + 1 : kept;
}

Int128 with_sign(UInt128 number, bool negative) {
    return negative ? -static_cast<Int128>(number) : static_cast<Int128>(number);
}

[[noreturn]] void refuse_overflow() {
    throw LimitError(
        "the sums of the polynomial need more than 128 bits; round the leaves to a coarser unit (round_bits)");
}

}  // namespace

void BitRange::add(double value) {
    if (value == 0) return;
    const Split parts = split(value);
    const int trailing = std::countr_zero(static_cast<std::uint64_t>(parts.mantissa));
    low_ = std::min(low_, parts.exponent + trailing);
    high_ = std::max(high_, parts.exponent + k_mantissa_bits);
}

Int128 to_fixed(double value, int unit_exponent) {
    if (value == 0) return 0;
    const Split parts = split(value);
    const int shift = parts.exponent - unit_exponent;
    REGROVE_CHECK(shift + k_mantissa_bits <= k_largest_bits);
    const UInt128 mantissa = magnitude(parts.mantissa);
    return with_sign(shift >= 0 ? mantissa << static_cast<unsigned>(shift) : shifted_down(mantissa, -shift),
                     value < 0);
}

double to_double(Int128 number, int unit_exponent) {
    const UInt128 size = magnitude(number);
    const int shift = std::max(bit_width(size) - k_mantissa_bits, 0);
    const auto mantissa = static_cast<double>(static_cast<std::uint64_t>(shifted_down(size, shift)));
    return std::ldexp(number < 0 ? -mantissa : mantissa, shift + unit_exponent);
}

std::vector<double> exact_parts(Int128 number, int unit_exponent) {
    std::vector<double> parts;
    while (number != 0) {
        const double part = to_double(number, 0);
        parts.push_back(std::ldexp(part, unit_exponent));
        number = subtract_exactly(number, to_fixed(part, 0));
    }
    return parts;
}

Int128 add_exactly(Int128 a, Int128 b) {
    Int128 sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) refuse_overflow();
    return sum;
}

Int128 subtract_exactly(Int128 a, Int128 b) {
    Int128 difference = 0;
    if (__builtin_sub_overflow(a, b, &difference)) refuse_overflow();
    return difference;
}

}  // namespace regrove::algebra
