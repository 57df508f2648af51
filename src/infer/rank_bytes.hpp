// How ranks fit bytes, and how a byte answers a question.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace regrove::infer {

constexpr std::int8_t k_lowest_rank = -128;
constexpr std::int8_t k_highest_rank = 127;
/// Ranks 0 .. 255 fit a byte.
constexpr std::size_t k_borders_of_column = 255;
constexpr std::uint32_t k_no_column = 0xffffffffU;

/// Rows whose ranks are made at once.
constexpr std::size_t k_rank_rows = 512;
/// Rows whose answers to one test are the bits of a word.
constexpr std::size_t k_word_rows = 64;
constexpr std::size_t k_block_words = k_rank_rows / k_word_rows;

/// Right when limit <= the column's rank.
struct RankTest {
    std::uint32_t column = 0;
    std::int8_t limit = 0;
    friend auto operator<=>(const RankTest&, const RankTest&) = default;
};

}  // namespace regrove::infer
