// Limb arithmetic of the exact sum, and its one rounding.
#include "regrove/core/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "regrove/core/check.hpp"
#include "regrove/core/int128.hpp"

namespace regrove {
namespace {

constexpr std::uint64_t k_payload = 0xffffffffU;
/// An addition puts at most 33 bits of magnitude into a limb, so this many stay far within 63.
constexpr std::uint32_t k_most_pending = 1U << 28U;
constexpr int k_lowest_exponent = -1074;

/// A finite double as an integer: value = mantissa * 2^(shift - 1074).
struct Parts {
    bool negative;
    std::uint64_t mantissa;
    unsigned shift;
};

Parts parts_of(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto exponent = static_cast<unsigned>((bits >> 52U) & 0x7ffU);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52U) - 1);
    const bool negative = (bits >> 63U) != 0;
    if (exponent == 0) return {negative, fraction, 0};
    return {negative, fraction | std::uint64_t{1} << 52U, exponent - 1};
}

/// The magnitude of a canonical non-negative number in payload limbs, rounded to double.
double round_magnitude(const std::array<std::int64_t, ExactSum::k_limbs>& limbs) {
    std::size_t top = limbs.size();
    while (top > 0 && limbs[top - 1] == 0) --top;
    if (top == 0) return 0;
    --top;
    const auto limb = [&](std::size_t i) { return static_cast<UInt128>(static_cast<std::uint64_t>(limbs[i])); };
    // The top three limbs hold at least 65 significant bits; all lower ones only matter as "not zero".
    UInt128 window = limb(top) << 64U;
    if (top >= 1) window |= limb(top - 1) << 32U;
    if (top >= 2) window |= limb(top - 2);
    bool rest = false;
    for (std::size_t i = 0; i + 2 < top; ++i) rest = rest || limbs[i] != 0;
    const int bits = 64 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(limbs[top])));
    // Bit 0 of the window is worth 2^exponent.
    const int exponent = (static_cast<int>(top) - 2) * 32 + k_lowest_exponent;
    // 53 bits are kept, fewer when the result is subnormal.
    const int drop = std::max(bits - 53, k_lowest_exponent - exponent);
    auto kept = static_cast<std::uint64_t>(window >> drop);
    if (drop > 0) {
        const bool half = ((window >> (drop - 1)) & 1U) != 0;
        const bool below = rest || (window & ((UInt128{1} << (drop - 1)) - 1)) != 0;
        if (half && (below || (kept & 1U) != 0)) ++kept;
    }
    return std::ldexp(static_cast<double>(kept), exponent + drop);
}

}  // namespace

void ExactSum::add(double value) {
    if (!std::isfinite(value)) {
        ++specials_[std::isnan(value) ? 2 : std::signbit(value) ? 1 : 0];
        return;
    }
    const Parts parts = parts_of(value);
    add_scaled(parts.negative, parts.mantissa, parts.shift);
}

void ExactSum::add_product(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return add(a * b);
    const Parts x = parts_of(a);
    const Parts y = parts_of(b);
    UInt128 product = static_cast<UInt128>(x.mantissa) * y.mantissa;
    // The product is worth product * 2^(x.shift + y.shift - 2148).
    int shift = static_cast<int>(x.shift + y.shift) + k_lowest_exponent;
    if (shift < 0) {
        product = shift <= -128 ? UInt128{0} : product >> static_cast<unsigned>(-shift);
        shift = 0;
    }
    const bool negative = x.negative != y.negative;
    constexpr unsigned half = 53;
    // Beyond about 2^1057, far above the largest double, a product has no limbs: it counts as infinite.
    if (static_cast<unsigned>(shift) + half >= 32 * (k_limbs - 3)) return add(negative ? -HUGE_VAL : HUGE_VAL);
    add_scaled(negative, static_cast<std::uint64_t>(product & ((UInt128{1} << half) - 1)),
               static_cast<unsigned>(shift));
    add_scaled(negative, static_cast<std::uint64_t>(product >> half), static_cast<unsigned>(shift) + half);
}

void ExactSum::add_scaled(bool negative, std::uint64_t mantissa, unsigned shift) {
    const std::size_t first = shift / 32;
    const UInt128 wide = static_cast<UInt128>(mantissa) << (shift % 32);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto piece = static_cast<std::int64_t>(static_cast<std::uint64_t>(wide >> (32 * i)) & k_payload);
        limbs_[first + i] += negative ? -piece : piece;
    }
    if (++pending_ >= k_most_pending) normalise();
}

void ExactSum::merge(const ExactSum& other) {
    if (pending_ >= k_most_pending - 1 - other.pending_) normalise();
    for (std::size_t i = 0; i < k_limbs; ++i) limbs_[i] += other.limbs_[i];
    for (std::size_t i = 0; i < specials_.size(); ++i) specials_[i] += other.specials_[i];
    pending_ += other.pending_ + 1;
}

void ExactSum::normalise() {
    // Afterwards all limbs but the last hold 32 payload bits; the last holds the sign (two's complement).
    for (std::size_t i = 0; i + 1 < k_limbs; ++i) {
        const std::int64_t carry = limbs_[i] >> 32U;
        limbs_[i] -= carry * (std::int64_t{1} << 32U);
        limbs_[i + 1] += carry;
    }
    pending_ = 0;
}

double ExactSum::value() const {
    const auto [plus, minus, nan] = specials_;
    if (nan > 0 || (plus > 0 && minus > 0)) return std::numeric_limits<double>::quiet_NaN();
    if (plus > 0 || minus > 0) return plus > 0 ? HUGE_VAL : -HUGE_VAL;
    ExactSum canonical = *this;
    canonical.normalise();
    const bool negative = canonical.limbs_.back() < 0;
    if (negative) {
        for (auto& limb : canonical.limbs_) limb = -limb;
        canonical.normalise();
    }
    const double magnitude = round_magnitude(canonical.limbs_);
    return negative ? -magnitude : magnitude;
}

bool operator==(const ExactSum& a, const ExactSum& b) { return a.words() == b.words(); }

std::array<std::int64_t, ExactSum::k_words> ExactSum::words() const {
    ExactSum canonical = *this;
    canonical.normalise();
    std::array<std::int64_t, k_words> words{};
    std::ranges::copy(canonical.limbs_, words.begin());
    std::ranges::copy(canonical.specials_, words.begin() + k_limbs);
    return words;
}

ExactSum ExactSum::from_words(std::span<const std::int64_t> words) {
    REGROVE_CHECK(words.size() == k_words);
    ExactSum sum;
    std::copy_n(words.begin(), k_limbs, sum.limbs_.begin());
    std::copy_n(words.begin() + k_limbs, sum.specials_.size(), sum.specials_.begin());
    sum.normalise();
    return sum;
}

}  // namespace regrove
