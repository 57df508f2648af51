// The exact sum of doubles: a fixed-point number wide enough for any of them, so that no order of adding changes the
// result.
//
// Every finite double is a multiple of 2^-1074 below 2^1024. The accumulator keeps such multiples in 64-bit limbs of
// 32 payload bits each; the upper bits take carries. Limbs of two sums may be added as plain integers (also by a
// collective) as long as fewer than 2^30 additions lie between two calls of normalise(); the methods here see to that
// themselves. Source of the idea: Kulisch and Miranker, "Computer arithmetic in theory and practice" (1981); Neal,
// "Fast exact summation using small and large superaccumulators" (2015).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace regrove {

class ExactSum {
  public:
    /// 2^-1074 .. 2^1024 and 62 bits above for carries: 68 limbs of 32 bits.
    static constexpr std::size_t k_limbs = 68;

    /// Adds a finite value exactly. Infinities and NaN are counted apart and make value() NaN or infinite.
    void add(double value);
    /// Adds the exact product of two finite doubles (a weight times an error, a square), which may need more bits
    /// than a double has. Parts of the product below 2^-1074 are cut off; that is the same for any order of adding.
    void add_product(double a, double b);
    void merge(const ExactSum& other);

    /// The sum rounded once, to nearest, ties to even. Infinite when it is beyond the range of double.
    double value() const;

    /// Brings the limbs into their one canonical form: equal sums have equal bytes.
    void normalise();
    friend bool operator==(const ExactSum& a, const ExactSum& b);

    /// Plain integers for sending between ranks, canonical: limbs, then counts of +inf, -inf, NaN. Element-wise sums
    /// of up to 2^30 such arrays are the array of the sum.
    static constexpr std::size_t k_words = k_limbs + 3;
    std::array<std::int64_t, k_words> words() const;
    static ExactSum from_words(std::span<const std::int64_t> words);

  private:
    /// Adds mantissa * 2^(shift - 1074) with a sign.
    void add_scaled(bool negative, std::uint64_t mantissa, unsigned shift);

    std::array<std::int64_t, k_limbs> limbs_{};  ///< value = sum of limbs_[i] * 2^(32 i - 1074)
    std::array<std::int64_t, 3> specials_{};     ///< counts of +inf, -inf, NaN
    std::uint32_t pending_ = 0;                  ///< additions since normalise()
};

}  // namespace regrove
