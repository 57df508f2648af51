// Bit arrays read and written at any position.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "regrove/core/int128.hpp"

namespace regrove::bornagain::REGROVE_KERNELS {

using Word = std::uint64_t;

inline Word low_mask(std::uint32_t bits) { return bits >= 64 ? ~Word{0} : (Word{1} << bits) - 1; }

/// 64 bits from position `at`; reads up to two words.
inline Word load_bits(const Word* words, std::size_t at) {
    const Word* const word = words + (at >> 6U);
    const unsigned shift = at & 63U;
    return shift == 0 ? word[0] : (word[0] >> shift) | (word[1] << (64 - shift));
}

/// The bits of `value` where `mask` has ones, moved together.
inline Word gather_bits(Word value, Word mask) {
#ifdef __BMI2__
    return _pext_u64(value, mask);
#else
    Word result = 0;
    for (unsigned to = 0; mask != 0;) {  // run by run of ones
        const auto skip = static_cast<unsigned>(std::countr_zero(mask));
        mask >>= skip;
        value >>= skip;
        const auto run = static_cast<unsigned>(std::countr_one(mask));
        result |= (value & low_mask(run)) << to;
        to += run;
        if (run == 64) break;
        mask >>= run;
        value >>= run;
    }
    return result;
#endif
}

/// Appends bits to words.
class BitWriter {
  public:
    explicit BitWriter(Word* out) : out_(out) {}

    /// The lowest `count` <= 64 bits; those above must be zero.
    void put(Word bits, unsigned count) {
        pending_ |= bits << fill_;
        if (fill_ + count < 64) {
            fill_ += count;
            return;
        }
        *out_++ = pending_;
        pending_ = fill_ == 0 ? 0 : bits >> (64 - fill_);
        fill_ = fill_ + count - 64;
    }
    void copy(const Word* from, std::size_t at, std::size_t length) {
        for (; length >= 64; length -= 64, at += 64) put(load_bits(from, at), 64);
        if (length != 0)
            put(load_bits(from, at) & low_mask(static_cast<std::uint32_t>(length)), static_cast<unsigned>(length));
    }
    void finish() {
        if (fill_ != 0) *out_ = pending_;
    }

  private:
    Word* out_;
    Word pending_ = 0;
    unsigned fill_ = 0;
};

/// A pattern of at most 64 bits repeated for ever, word by word.
class RepeatedPattern {
  public:
    RepeatedPattern(Word pattern, std::uint32_t period) : period_(period), step_(64 % period) {
        for (std::uint32_t at = 0; at < 128; at += period) repeated_ |= static_cast<UInt128>(pattern) << at;
    }
    Word next() {
        const auto word = static_cast<Word>(repeated_ >> phase_);
        phase_ += step_;
        if (phase_ >= period_) phase_ -= period_;
        return word;
    }

  private:
    UInt128 repeated_ = 0;
    std::uint32_t period_;
    std::uint32_t step_;
    std::uint32_t phase_ = 0;
};

inline void clear_range(Word* words, std::size_t begin, std::size_t end) {
    while (begin < end) {
        const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(64 - (begin & 63U), end - begin));
        words[begin >> 6U] &= ~(low_mask(count) << (begin & 63U));
        begin += count;
    }
}

/// Writes ones for the slices [first, last] of an axis (stride, slices), zeros elsewhere and behind `cells`.
inline void mark_slices(Word* out, std::uint32_t cells, std::uint32_t stride, std::uint32_t slices,
                        std::uint32_t first, std::uint32_t last) {
    const std::uint32_t words = (cells + 63) / 64;
    const std::uint32_t block = stride * slices;
    if (block <= 64) {
        RepeatedPattern pattern(low_mask((last + 1) * stride) & ~low_mask(first * stride), block);
        for (std::uint32_t i = 0; i < words; ++i) out[i] = pattern.next();
    } else {
        std::fill(out, out + words, ~Word{0});
        for (std::uint32_t at = 0; at < cells; at += block) {
            clear_range(out, at, std::size_t{at} + std::size_t{first} * stride);
            clear_range(out, std::size_t{at} + std::size_t{last + 1} * stride, std::size_t{at} + block);
        }
    }
    if (cells % 64 != 0) out[words - 1] &= low_mask(cells % 64);
}

/// out = words moved up by `distance` bits (towards higher cells), zeros coming in.
inline void shift_up(const Word* in, std::uint32_t words, std::uint32_t distance, Word* out) {
    const std::uint32_t whole = std::min(distance / 64, words);
    const unsigned shift = distance % 64;
    std::fill(out, out + whole, 0);
    if (whole == words) return;
    if (shift == 0) {
        std::copy(in, in + (words - whole), out + whole);
        return;
    }
    out[whole] = in[0] << shift;
    const Word* const from = in;
    Word* const to = out + whole + 1;
    const std::uint32_t rest = words - whole - 1;
    for (std::uint32_t i = 0; i < rest; ++i) to[i] = (from[i + 1] << shift) | (from[i] >> (64 - shift));
}

/// out = words moved down by `distance` bits (towards lower cells), zeros coming in. `in` has padding of zeros.
inline void shift_down(const Word* in, std::uint32_t words, std::uint32_t distance, Word* out) {
    const std::uint32_t whole = std::min(distance / 64, words);
    const unsigned shift = distance % 64;
    const std::uint32_t rest = words - whole;
    const Word* const from = in + whole;
    if (shift == 0)
        std::copy(from, from + rest, out);
    else
        for (std::uint32_t i = 0; i < rest; ++i) out[i] = (from[i] >> shift) | (from[i + 1] << (64 - shift));
    std::fill(out + rest, out + words, 0);
}

/// some[l] = whether a bit is set in slice l of an axis, for the slices below `used`. `bits` has padding of zeros.
inline void slices_with_bits(const Word* bits, std::uint32_t cells, std::uint32_t stride, std::uint32_t slices,
                             std::uint32_t used, std::uint8_t* some, Word* scratch) {
    const std::uint32_t block = stride * slices;
    if (block <= 64) {
        UInt128 folded = 0;
        std::uint32_t phase = 0;
        const std::uint32_t words = (cells + 63) / 64;
        for (std::uint32_t i = 0; i < words; ++i) {
            folded |= static_cast<UInt128>(bits[i]) << phase;
            phase += 64 % block;
            if (phase >= block) phase -= block;
        }
        Word one = 0;
        for (std::uint32_t at = 0; at < 128; at += block) one |= static_cast<Word>(folded >> at) & low_mask(block);
        for (std::uint32_t l = 0; l < used; ++l) some[l] = ((one >> (l * stride)) & low_mask(stride)) != 0 ? 1 : 0;
        return;
    }
    const std::uint32_t length = used * stride;
    const std::uint32_t folded_words = (length + 63) / 64;
    const Word* source = bits;
    if (block < cells) {  // fold the blocks onto one another
        std::fill(scratch, scratch + folded_words + 1, 0);
        for (std::uint32_t at = 0; at < cells; at += block) {
            const unsigned shift = at & 63U;
            const Word* const from = bits + (at >> 6U);
            if (shift == 0)
                for (std::uint32_t i = 0; i < folded_words; ++i) scratch[i] |= from[i];
            else
                for (std::uint32_t i = 0; i < folded_words; ++i)
                    scratch[i] |= (from[i] >> shift) | (from[i + 1] << (64 - shift));
        }
        source = scratch;
    }
    for (std::uint32_t l = 0; l < used; ++l) {
        std::size_t at = std::size_t{l} * stride;
        std::uint32_t left = stride;
        Word any = 0;
        for (; left >= 64; left -= 64, at += 64) any |= load_bits(source, at);
        if (left != 0) any |= load_bits(source, at) & low_mask(left);
        some[l] = any != 0 ? 1 : 0;
    }
}

}  // namespace regrove::bornagain::REGROVE_KERNELS
