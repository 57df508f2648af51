// Sign and magnitude in 64-bit words, by the schoolbook.
#include "regrove/algebra/wide_integer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "regrove/core/check.hpp"

namespace regrove::algebra {

namespace {

using Words = std::vector<std::uint64_t>;

constexpr int k_mantissa_bits = 53;
constexpr int k_smallest_exponent = -1074;  ///< of the lowest bit of any double

bool is_smaller(const Words& a, const Words& b) {
    if (a.size() != b.size()) return a.size() < b.size();
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

void add_words(Words& into, const Words& from) {
    into.resize(std::max(into.size(), from.size()), 0);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < into.size(); ++i) {
        const UInt128 sum = UInt128{into[i]} + (i < from.size() ? from[i] : 0) + carry;
        into[i] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64U);
    }
    if (carry != 0) into.push_back(carry);
}

/// larger - smaller, in place of `larger`.
void subtract_words(Words& larger, const Words& smaller) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < larger.size(); ++i) {
        const UInt128 taken = UInt128{i < smaller.size() ? smaller[i] : 0} + borrow;
        borrow = larger[i] < taken ? 1 : 0;
        larger[i] = static_cast<std::uint64_t>(larger[i] - taken);
    }
}

/// The magnitude / 2^shift with `sticky` for what was lost before, to nearest, ties to even; at most 2^53.
double rounded(const WideInteger& number, std::size_t shift, bool sticky) {
    const std::uint64_t kept = number.bits_from(shift);
    if (shift == 0) return static_cast<double>(kept);
    const bool half = number.bit(shift - 1);
    const bool more = sticky || number.any_bit_below(shift - 1);
    const bool up = half && (more || (kept & 1U) != 0);
    return static_cast<double>(up ? kept + 1 : kept);
}

}  // namespace

WideInteger::WideInteger(Int128 number) : negative_(number < 0) {
    const UInt128 size = number < 0 ? UInt128{0} - static_cast<UInt128>(number) : static_cast<UInt128>(number);
    words_ = {static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(size >> 64U)};
    drop_leading_zeros();
}

std::size_t WideInteger::bits() const {
    return words_.empty() ? 0 : 64 * words_.size() - static_cast<std::size_t>(std::countl_zero(words_.back()));
}

void WideInteger::add(const WideInteger& other) {
    if (negative_ == other.negative_) {
        add_words(words_, other.words_);
    } else if (is_smaller(words_, other.words_)) {
        Words difference = other.words_;
        subtract_words(difference, words_);
        words_ = std::move(difference);
        negative_ = other.negative_;
    } else {
        subtract_words(words_, other.words_);
    }
    drop_leading_zeros();
}

void WideInteger::multiply(std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::uint64_t& word : words_) {
        const UInt128 product = UInt128{word} * factor + carry;
        word = static_cast<std::uint64_t>(product);
        carry = static_cast<std::uint64_t>(product >> 64U);
    }
    if (carry != 0) words_.push_back(carry);
    drop_leading_zeros();
}

std::uint64_t WideInteger::divide(std::uint64_t divisor) {
    REGROVE_CHECK(divisor != 0);
    std::uint64_t rest = 0;
    for (std::size_t i = words_.size(); i-- > 0;) {
        const UInt128 part = (UInt128{rest} << 64U) | words_[i];
        words_[i] = static_cast<std::uint64_t>(part / divisor);
        rest = static_cast<std::uint64_t>(part % divisor);
    }
    drop_leading_zeros();
    return rest;
}

void WideInteger::shift_left(std::size_t bits) {
    if (is_zero()) return;
    if (bits % 64 != 0) multiply(std::uint64_t{1} << (bits % 64));
    words_.insert(words_.begin(), bits / 64, 0);
}

bool WideInteger::bit(std::size_t at) const { return (bits_from(at) & 1U) != 0; }

bool WideInteger::any_bit_below(std::size_t at) const {
    for (std::size_t i = 0; i < words_.size() && 64 * i < at; ++i) {
        const std::size_t own = at - 64 * i;
        const std::uint64_t mask = own >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << own) - 1;
        if ((words_[i] & mask) != 0) return true;
    }
    return false;
}

std::uint64_t WideInteger::bits_from(std::size_t at) const {
    const std::size_t word = at / 64;
    const std::size_t shift = at % 64;
    if (word >= words_.size()) return 0;
    const std::uint64_t low = words_[word] >> shift;
    if (shift == 0 || word + 1 >= words_.size()) return low;
    return low | (words_[word + 1] << (64 - shift));
}

void WideInteger::drop_leading_zeros() {
    while (!words_.empty() && words_.back() == 0) words_.pop_back();
    if (words_.empty()) negative_ = false;
}

double to_double(WideInteger number, int exponent, std::span<const std::uint64_t> divisors) {
    if (number.is_zero()) return 0;
    // So many bits more than the divisors have that the quotient has two beyond the mantissa.
    std::size_t wanted = k_mantissa_bits + 2;
    for (const std::uint64_t divisor : divisors) wanted += static_cast<std::size_t>(std::bit_width(divisor));
    if (wanted > number.bits()) {
        const std::size_t more = wanted - number.bits();
        number.shift_left(more);
        exponent -= static_cast<int>(more);
    }
    bool sticky = false;
    for (const std::uint64_t divisor : divisors) sticky = (number.divide(divisor) != 0) || sticky;
    const int shift = std::max(static_cast<int>(number.bits()) - k_mantissa_bits, k_smallest_exponent - exponent);
    const double size = rounded(number, static_cast<std::size_t>(shift), sticky);
    return std::ldexp(number.is_negative() ? -size : size, exponent + shift);
}

}  // namespace regrove::algebra
