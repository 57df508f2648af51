// Tiles of nearly equal numbers of features.
#include "regrove/binning/row_tiles.hpp"

#include <algorithm>
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

void take_column(const TileShape& tile, std::size_t place, const std::uint8_t* laid, std::size_t rows,
                 std::uint8_t* out) {
    const std::uint8_t* const first = laid + place * tile.code_bytes;
    if (tile.code_bytes == 1) {
        take_strided<std::uint8_t>(first, tile.stride_bytes, rows, out);
    } else {
        take_strided<std::uint16_t>(first, tile.stride_bytes, rows, out);
    }
}

}  // namespace regrove::binning
