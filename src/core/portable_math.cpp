// Range reduction and Taylor series for the elementary functions, written so that only +, -, *, / and sqrt round.
//
// The argument is split exactly into a multiple of a constant and a small rest; the series of the rest is cut where
// the next term is below half a unit in the last place. Two-part constants were computed to 300 bits with integers.
#include "regrove/core/portable_math.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace regrove::portable {

namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

// ln 2 in two parts; the first has 32 bits, so that its product with an exponent is exact.
constexpr double k_ln2_high = 0x1.62e42fee00000p-1;
constexpr double k_ln2_low = 0x1.a39ef35793c76p-33;
constexpr double k_log2_e = 0x1.71547652b82fep+0;
// log2(e) in two parts; the first has 21 bits.
constexpr double k_log2_e_high = 0x1.7154700000000p+0;
constexpr double k_log2_e_low = 0x1.94ae0bf85ddf4p-22;
// pi/2 in three parts of which the first two have 33 bits: products with integers below 2^20 are exact.
constexpr double k_half_pi_1 = 0x1.921fb54400000p+0;
constexpr double k_half_pi_2 = 0x1.0b4611a600000p-34;
constexpr double k_half_pi_3 = 0x1.3198a2e037073p-69;
constexpr double k_two_over_pi = 0x1.45f306dc9c883p-1;
constexpr double k_sin_limit = 1e5;

/// Value at x of the polynomial with these coefficients, lowest power first (Horner).
template <std::size_t N>
double polynomial(const double (&coefficients)[N], double x) {
    double value = coefficients[N - 1];
    for (std::size_t i = N - 1; i-- > 0;) value = value * x + coefficients[i];
    return value;
}

/// x = 2^exponent * (1 + fraction) with 1 + fraction in [sqrt(1/2), sqrt(2)), up to rounding of the bounds.
struct Decomposed {
    double exponent;
    double fraction;
};

Decomposed decompose(double x) {
    int shift = 0;
    if (x < std::numeric_limits<double>::min()) {  // denormal: scaling by a power of two is exact
        x *= 0x1.0p54;
        shift = -54;
    }
    const auto bits = std::bit_cast<std::uint64_t>(x);
    int exponent = static_cast<int>(bits >> 52U) - 1023;
    double mantissa = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
    if (mantissa > 0x1.6a09e667f3bcdp+0) {
        mantissa *= 0.5;
        ++exponent;
    }
    return {static_cast<double>(exponent + shift), mantissa - 1.0};
}

/// ln(1 + f) - f: with s = f / (2 + f), ln(1 + f) = 2 (s + s^3/3 + ...) and 2 s = f - s f, so f itself enters
/// exactly.
double log1p_rest(double f) {
    static constexpr double k_odd[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                       1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const double s = f / (2.0 + f);
    const double z = s * s;
    const double tail = 2.0 * z * polynomial(k_odd, z);
    const double half_square = 0.5 * f * f;
    return s * (half_square + tail) - half_square;
}

double sin_kernel(double y, double y_low) {
    static constexpr double k_terms[] = {-1.0 / 6,
                                         1.0 / 120,
                                         -1.0 / 5040,
                                         1.0 / 362880,
                                         -1.0 / 39916800.0,
                                         1.0 / 6227020800.0,
                                         -1.0 / 1307674368000.0,
                                         1.0 / 355687428096000.0};
    const double z = y * y;
    return y + (y * z * polynomial(k_terms, z) + y_low * (1.0 - 0.5 * z));
}

double cos_kernel(double y, double y_low) {
    static constexpr double k_terms[] = {
        1.0 / 24,          -1.0 / 720,           1.0 / 40320,           -1.0 / 3628800.0,
        1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
    const double z = y * y;
    const double half = 0.5 * z;
    const double head = 1.0 - half;
    return head + (((1.0 - head) - half) + (z * z * polynomial(k_terms, z) - y * y_low));
}

}  // namespace

double log(double x) {
    if (!(x > 0.0)) return x == 0.0 ? -k_infinity : k_nan;
    if (x == k_infinity) return x;
    const Decomposed part = decompose(x);
    const double rest = log1p_rest(part.fraction) + part.exponent * k_ln2_low;
    return part.exponent * k_ln2_high + (part.fraction + rest);
}

double log2(double x) {
    if (!(x > 0.0)) return x == 0.0 ? -k_infinity : k_nan;
    if (x == k_infinity) return x;
    const Decomposed part = decompose(x);
    const double f = part.fraction;
    const double rest = log1p_rest(f);
    // ln(1 + f) cut to 32 bits, so that its product with the high part of log2(e) is exact.
    const double natural = f + rest;
    const double head = std::bit_cast<double>(std::bit_cast<std::uint64_t>(natural) & 0xffffffffffe00000ULL);
    const double tail = (f - head) + rest;
    const double low = tail * k_log2_e_high + natural * k_log2_e_low;
    return part.exponent + (head * k_log2_e_high + low);
}

double sin(double x) {
    if (!(x > -k_sin_limit && x < k_sin_limit)) return k_nan;
    if (x == 0.0) return x;  // keeps the sign of zero
    const double n = std::floor(x * k_two_over_pi + 0.5);
    if (n == 0.0) return sin_kernel(x, 0.0);
    const double high = x - n * k_half_pi_1;
    const double step = n * k_half_pi_2;
    const double middle = high - step;
    const double low = ((high - middle) - step) - n * k_half_pi_3;
    const double y = middle + low;
    const double y_low = (middle - y) + low;
    switch (static_cast<int>(n) & 3) {
        case 0:
            return sin_kernel(y, y_low);
        case 1:
            return cos_kernel(y, y_low);
        case 2:
            return -sin_kernel(y, y_low);
        default:
            return -cos_kernel(y, y_low);
    }
}

double normal_quantile(double p) {
    // Coefficients of PPND16, Wichura 1988; relative accuracy about 1e-16.
    static constexpr double k_a[] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                     1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                     3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static constexpr double k_b[] = {1.0,
                                     4.2313330701600911252e+1,
                                     6.8718700749205790830e+2,
                                     5.3941960214247511077e+3,
                                     2.1213794301586595867e+4,
                                     3.9307895800092710610e+4,
                                     2.8729085735721942674e+4,
                                     5.2264952788528545610e+3};
    static constexpr double k_c[] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                     3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                     2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static constexpr double k_d[] = {1.0,
                                     2.05319162663775882187e0,
                                     1.67638483018380384940e0,
                                     6.89767334985100004550e-1,
                                     1.48103976427480074590e-1,
                                     1.51986665636164571966e-2,
                                     5.47593808499534494600e-4,
                                     1.05075007164441684324e-9};
    static constexpr double k_e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static constexpr double k_f[] = {1.0,
                                     5.99832206555887937690e-1,
                                     1.36929880922735805310e-1,
                                     1.48753612908506148525e-2,
                                     7.86869131145613259100e-4,
                                     1.84631831751005468180e-5,
                                     1.42151175831644588870e-7,
                                     2.04426310338993978564e-15};
    if (!(p >= 0.0 && p <= 1.0)) return k_nan;
    if (p == 0.0) return -k_infinity;
    if (p == 1.0) return k_infinity;
    const double q = p - 0.5;
    if (q >= -0.425 && q <= 0.425) {
        const double r = 0.180625 - q * q;
        return q * polynomial(k_a, r) / polynomial(k_b, r);
    }
    const double r = std::sqrt(-log(q < 0.0 ? p : 1.0 - p));
    const double size = r <= 5.0 ? polynomial(k_c, r - 1.6) / polynomial(k_d, r - 1.6)
                                 : polynomial(k_e, r - 5.0) / polynomial(k_f, r - 5.0);
    return q < 0.0 ? -size : size;
}

}  // namespace regrove::portable
