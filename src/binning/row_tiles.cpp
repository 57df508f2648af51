// Tiles of nearly equal numbers of features.
#include "regrove/binning/row_tiles.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "regrove/core/error.hpp"

namespace regrove::binning {

namespace {

constexpr std::uint64_t k_tile_words = 32768;  // bins of a tile: a histogram of 256 KiB stays in the second cache
constexpr std::size_t k_least_stride = 4;

std::uint32_t codes_of(const Bins& bins) { return bins.count + 1; }

/// Cuts features of one code width into tiles: as few as fit, then as equal as possible.
std::vector<std::vector<std::uint32_t>> cut_into_tiles(const std::vector<std::uint32_t>& features,
                                                       std::span<const Bins> bins, std::uint32_t code_bytes) {
    std::vector<std::vector<std::uint32_t>> tiles;
    if (features.empty()) return tiles;
    const std::size_t most = k_tile_bytes / code_bytes;
    const std::size_t count = (features.size() + most - 1) / most;
    const std::size_t each = (features.size() + count - 1) / count;
    std::uint64_t words = 0;
    for (const auto f : features) {
        const bool full = tiles.empty() || tiles.back().size() == each ||
                          (words + codes_of(bins[f]) > k_tile_words && !tiles.back().empty());
        if (full) {
            tiles.emplace_back();
            words = 0;
        }
        tiles.back().push_back(f);
        words += codes_of(bins[f]);
    }
    return tiles;
}

template <class Stored, class Code>
void lay_column(const std::vector<Code>& column, std::size_t begin, std::size_t end, std::size_t stride,
                std::uint8_t* out) {
    auto* place = reinterpret_cast<Stored*>(out);
    const std::size_t step = stride / sizeof(Stored);
    for (std::size_t row = begin; row < end; ++row, place += step) *place = static_cast<Stored>(column[row]);
}

template <class Stored>
void take_strided(const std::uint8_t* laid, std::size_t stride, std::size_t rows, std::uint8_t* out) {
    const auto* from = reinterpret_cast<const Stored*>(laid);
    auto* to = reinterpret_cast<Stored*>(out);
    const std::size_t step = stride / sizeof(Stored);
    for (std::size_t row = 0; row < rows; ++row) to[row] = from[row * step];
}

/// Eight rows of eight bytes, the first in the lowest bits, change places with their columns: bytes of neighbours, then pairs, then
/// fours.
void transpose(std::array<std::uint64_t, 8>& rows) {
    constexpr std::array<std::uint64_t, 3> k_low_halves{0x00ff00ff00ff00ffU, 0x0000ffff0000ffffU,
                                                        0x00000000ffffffffU};
    for (std::size_t stage = 0; stage < 3; ++stage) {
        const std::size_t apart = std::size_t{1} << stage;
        const unsigned shift = 8U << stage;
        for (std::size_t i = 0; i < 8; ++i) {
            if ((i & apart) != 0) continue;
            const std::uint64_t moved = ((rows[i] >> shift) ^ rows[i + apart]) & k_low_halves[stage];
            rows[i + apart] ^= moved;
            rows[i] ^= moved << shift;
        }
    }
}

/// Eight rows of up to eight features of one byte each.
void take_square(const std::uint8_t* laid, std::size_t stride, std::size_t row, std::span<std::uint8_t* const> out) {
    std::array<std::uint64_t, 8> square;
    for (std::size_t r = 0; r < 8; ++r) std::memcpy(&square[r], laid + r * stride, 8);
    transpose(square);
    for (std::size_t i = 0; i < out.size(); ++i) std::memcpy(out[i] + row, &square[i], 8);
}

}  // namespace

std::vector<TileShape> plan_tiles(std::span<const Bins> bins) {
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint32_t> wide;
    for (std::uint32_t f = 0; f < bins.size(); ++f) {
        if (codes_of(bins[f]) > k_most_tile_codes) {
            throw LimitError("feature " + std::to_string(f) + " has " + std::to_string(bins[f].count) +
                             " categories; boosting takes at most " + std::to_string(k_most_tile_codes - 1) +
                             ": make the column an id, or leave it out with --ignore");
        }
        // Numeric features without bins have no codes: no row has a value, or all values are candidates.
        if (bins[f].count == 0 && !bins[f].category) continue;
        (codes_of(bins[f]) <= 256 ? narrow : wide).push_back(f);
    }
    std::vector<TileShape> tiles;
    for (const std::uint32_t code_bytes : {1U, 2U}) {
        for (auto& features : cut_into_tiles(code_bytes == 1 ? narrow : wide, bins, code_bytes)) {
            const std::size_t stride = std::bit_ceil(std::max(features.size() * code_bytes, k_least_stride));
            tiles.push_back({std::move(features), code_bytes, stride});
        }
    }
    return tiles;
}

void lay_rows(const TileShape& tile, std::span<const Codes> columns, std::size_t begin, std::size_t end,
              std::uint8_t* out) {
    if (tile.features.size() * tile.code_bytes < tile.stride_bytes) {
        std::memset(out, 0, (end - begin) * tile.stride_bytes);
    }
    for (std::size_t i = 0; i < tile.features.size(); ++i) {
        std::uint8_t* const place = out + i * tile.code_bytes;
        std::visit(
            [&](const auto& column) {
                if (tile.code_bytes == 1) {
                    lay_column<std::uint8_t>(column, begin, end, tile.stride_bytes, place);
                } else {
                    lay_column<std::uint16_t>(column, begin, end, tile.stride_bytes, place);
                }
            },
            columns[tile.features[i]]);
    }
}

void take_columns(const TileShape& tile, const std::uint8_t* laid, std::size_t rows,
                  std::span<std::uint8_t* const> out) {
    if (tile.code_bytes == 2) {
        for (std::size_t i = 0; i < out.size(); ++i)
            take_strided<std::uint16_t>(laid + 2 * i, tile.stride_bytes, rows, out[i]);
        return;
    }
    const bool little = std::endian::native == std::endian::little;
    const std::size_t eights = little && tile.stride_bytes >= 8 ? rows / 8 * 8 : 0;
    for (std::size_t row = 0; row < eights; row += 8) {
        for (std::size_t first = 0; first < out.size(); first += 8) {
            take_square(laid + row * tile.stride_bytes + first, tile.stride_bytes, row,
                        out.subspan(first, std::min<std::size_t>(8, out.size() - first)));
        }
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        take_strided<std::uint8_t>(laid + eights * tile.stride_bytes + i, tile.stride_bytes, rows - eights,
                                   out[i] + eights);
    }
}

}  // namespace regrove::binning
