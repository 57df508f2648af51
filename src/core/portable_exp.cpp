// The exponential: one formula without branches, compiled once for a single value and twice for many.
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

#include "regrove/core/portable_math.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define REGROVE_WIDE_EXP __attribute__((target("avx2")))
#endif

namespace regrove::portable {

namespace {

// ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact.
constexpr double k_ln2_high = 0x1.62e42fee00000p-1;
constexpr double k_ln2_low = 0x1.a39ef35793c76p-33;
constexpr double k_log2_e = 0x1.71547652b82fep+0;
constexpr double k_highest = 709.8;  // e^x is infinite above
constexpr double k_lowest = -745.2;  // e^x is zero below
constexpr double k_terms[] = {1.0 / 2,         1.0 / 6,          1.0 / 24,          1.0 / 120,
                              1.0 / 720,       1.0 / 5040,       1.0 / 40320,       1.0 / 362880,
                              1.0 / 3628800.0, 1.0 / 39916800.0, 1.0 / 479001600.0, 1.0 / 6227020800.0};

constexpr double k_to_integer = 0x1.8p52;  // added to |x| < 2^51, the last bits are the nearest integer

/// A number or several, and the integers of the same size.
template <class Numbers>
struct IntegersOf;
template <>
struct IntegersOf<double> {
    using Type = std::int64_t;
};

template <class Numbers>
__attribute__((always_inline)) inline Numbers floor_of(Numbers x) {
    const Numbers nearest = (x + k_to_integer) - k_to_integer;
    return nearest > x ? nearest - 1.0 : nearest;
}

template <class Numbers>
__attribute__((always_inline)) inline Numbers power_of_two(Numbers exponent) {
    using Integers = typename IntegersOf<Numbers>::Type;
    const Integers integers =
        std::bit_cast<Integers>(exponent + k_to_integer) - std::bit_cast<std::int64_t>(k_to_integer);
    return std::bit_cast<Numbers>((integers + 1023) << 52);
}

/// e^x = 2^n e^r with |r| <= ln 2 / 2, a Taylor polynomial for e^r. Selections in place of branches; the same operations for
/// one number as for several, so the same bits.
template <class Numbers>
__attribute__((always_inline)) inline Numbers exp_of(Numbers x) {
    const Numbers above = x > k_highest ? Numbers{} + k_highest : x;
    const Numbers bounded = above >= k_lowest ? above : Numbers{} + k_lowest;  // NaN, too
    const Numbers n = floor_of(bounded * k_log2_e + 0.5);
    const Numbers high = bounded - n * k_ln2_high;
    const Numbers low = n * k_ln2_low;
    const Numbers r = high - low;
    const Numbers r_low = (high - r) - low;
    Numbers sum = Numbers{} + k_terms[11];
#pragma GCC unroll 12
    for (int i = 10; i >= 0; --i) sum = sum * r + k_terms[i];
    const Numbers value = 1.0 + (r + (r * r * sum + r_low));
    // Two factors, so that denormal results round once and 2^1024 is never formed.
    const Numbers half = floor_of(n * 0.5);
    const Numbers result = value * power_of_two(half) * power_of_two(n - half);
    const Numbers capped = x > k_highest ? Numbers{} + std::numeric_limits<double>::infinity() : result;
    const Numbers floored = x < k_lowest ? Numbers{} : capped;
    return x == x ? floored : x;
}

void plain_exp_all(double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) values[i] = exp_of(values[i]);
}

#ifdef REGROVE_WIDE_EXP
using FourNumbers = double __attribute__((vector_size(32)));
using FourIntegers = std::int64_t __attribute__((vector_size(32)));
template <>
struct IntegersOf<FourNumbers> {
    using Type = FourIntegers;
};

REGROVE_WIDE_EXP void wide_exp_all(double* values, std::size_t count) {
    const std::size_t fours = count / 4 * 4;
    for (std::size_t i = 0; i < fours; i += 4) {
        FourNumbers x;
        std::memcpy(&x, values + i, sizeof x);
        x = exp_of(x);
        std::memcpy(values + i, &x, sizeof x);
    }
    plain_exp_all(values + fours, count - fours);
}
#endif

using ExpAll = void (*)(double*, std::size_t);

ExpAll choose_exp_all() {
#ifdef REGROVE_WIDE_EXP
    if (__builtin_cpu_supports("avx2")) return wide_exp_all;
#endif
    return plain_exp_all;
}

}  // namespace

double exp(double x) { return exp_of(x); }

void exp_all(std::span<double> values) {
    static const ExpAll work = choose_exp_all();
    work(values.data(), values.size());
}

}  // namespace regrove::portable
