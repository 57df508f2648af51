#include "code_hash.hpp"

#include <cstring>

namespace regrove::store {

namespace {

constexpr std::uint64_t k_row_step = 0x9e3779b97f4a7c15ULL;
constexpr std::uint64_t k_factor = 0xd6e8feb86659fd93ULL;  // odd

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection in which every bit depends on every other.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

/// Each step is a bijection of the state, so that two rows that differ in one word never meet.
constexpr std::uint64_t absorb(std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * k_factor;
    return state ^ (state >> 32U);
}

template <class Word, std::size_t words>
Hash128 sum_rows(const std::uint8_t* laid, std::uint64_t first_row, std::size_t rows, std::uint64_t tile_key) {
    Hash128 sum;
    for (std::size_t i = 0; i < rows; ++i, laid += words * sizeof(Word)) {
        const std::uint64_t position = (first_row + i) * k_row_step + tile_key;
        std::uint64_t state = position;
        for (std::size_t w = 0; w < words; ++w) {
            Word word;
            std::memcpy(&word, laid + w * sizeof(Word), sizeof word);
            state = absorb(state, word);
        }
        const std::uint64_t low = mix(state);
        sum.low += low;
        sum.high += mix(low + position);
    }
    return sum;
}

}  // namespace

Hash128 hash_codes(const std::uint8_t* laid, std::size_t stride, std::uint64_t first_row, std::size_t rows,
                   std::uint64_t tile) {
    const std::uint64_t key = mix(tile + 1);
    switch (stride) {
        case 4:
            return sum_rows<std::uint32_t, 1>(laid, first_row, rows, key);
        case 8:
            return sum_rows<std::uint64_t, 1>(laid, first_row, rows, key);
        case 16:
            return sum_rows<std::uint64_t, 2>(laid, first_row, rows, key);
        default:
            return sum_rows<std::uint64_t, 4>(laid, first_row, rows, key);
    }
}

}  // namespace regrove::store
