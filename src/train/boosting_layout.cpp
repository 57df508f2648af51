// Tiles of nearly equal numbers of features, filled block by block of rows.
#include "regrove/train/boosting_layout.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::train {

namespace {

constexpr std::size_t k_tile_bytes = 32;       // of codes a row: half a cache line
constexpr std::uint64_t k_tile_words = 32768;  // of a histogram: 256 KiB
constexpr std::size_t k_rows_a_block = 16384;

std::uint32_t codes_of(const binning::Bins& bins) { return bins.count + 1; }

template <class Stored, class Code>
void copy_codes(const std::vector<Code>& column, std::size_t begin, std::size_t end, std::size_t stride,
                std::uint8_t* out) {
    auto* place = reinterpret_cast<Stored*>(out + begin * stride);
    const std::size_t step = stride / sizeof(Stored);
    for (std::size_t row = begin; row < end; ++row, place += step) *place = static_cast<Stored>(column[row]);
}

/// Cuts features of one code width into tiles: as few as fit, then as equal as possible.
std::vector<std::vector<std::uint32_t>> cut_into_tiles(const std::vector<std::uint32_t>& features,
                                                       const std::vector<binning::Bins>& bins,
                                                       std::uint32_t code_bytes) {
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

}  // namespace

BoostingTable::BoostingTable(binning::BinnedTable table) : table_(std::move(table)) {
    for (std::uint32_t f = 0; f < features(); ++f) {
        if (codes_of(table_.bins[f]) > k_most_codes) {
            throw LimitError("feature " + std::to_string(f) + " has " + std::to_string(table_.bins[f].count) +
                             " categories; boosting takes at most " + std::to_string(k_most_codes - 1) +
                             ": make the column an id, or leave it out with --ignore");
        }
    }
    make_tiles();
    for (FeatureTile& tile : tiles_) fill(tile);
}

void BoostingTable::make_tiles() {
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint32_t> wide;
    for (std::uint32_t f = 0; f < features(); ++f) {
        // Numeric features without bins have no codes: no row has a value, or all values are candidates (ThresholdSearch).
        if (table_.bins[f].count == 0 && !table_.bins[f].category) continue;
        (codes_of(table_.bins[f]) <= 256 ? narrow : wide).push_back(f);
    }
    layout_.position_of.resize(features());
    layout_.first_word.push_back(0);
    for (const std::uint32_t code_bytes : {1U, 2U}) {
        for (auto& features : cut_into_tiles(code_bytes == 1 ? narrow : wide, table_.bins, code_bytes)) {
            FeatureTile tile;
            tile.first_position = static_cast<std::uint32_t>(layout_.feature_at.size());
            tile.code_bytes = code_bytes;
            tile.stride_bytes = std::bit_ceil(std::max<std::size_t>(features.size() * code_bytes, 4));
            for (const auto f : features) {
                layout_.position_of[f] = static_cast<std::uint32_t>(layout_.feature_at.size());
                layout_.feature_at.push_back(f);
                layout_.first_word.push_back(layout_.first_word.back() + codes_of(table_.bins[f]));
            }
            tile.features = std::move(features);
            tiles_.push_back(std::move(tile));
        }
    }
}

void BoostingTable::fill_feature(FeatureTile& tile, std::size_t place, std::size_t begin, std::size_t end) const {
    std::uint8_t* const out = tile.codes.data() + place * tile.code_bytes;
    std::visit(
        [&](const auto& column) {
            if (tile.code_bytes == 1) {
                copy_codes<std::uint8_t>(column, begin, end, tile.stride_bytes, out);
            } else {
                copy_codes<std::uint16_t>(column, begin, end, tile.stride_bytes, out);
            }
        },
        table_.codes[tile.features[place]]);
}

void BoostingTable::fill(FeatureTile& tile) const {
    // One row more, so that kernels may read whole groups of codes.
    tile.codes.assign((rows() + 1) * tile.stride_bytes + k_tile_bytes, 0);
    parallel_for_blocks(rows(), k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t place = 0; place < tile.features.size(); ++place) fill_feature(tile, place, begin, end);
    });
}

void BoostingTable::set_codes(std::uint32_t feature, std::span<const std::uint8_t> codes, std::size_t stride) {
    auto& column = std::get<std::vector<std::uint8_t>>(table_.codes[feature]);
    const auto holds = [&](const FeatureTile& tile) {
        return std::binary_search(tile.features.begin(), tile.features.end(), feature);
    };
    FeatureTile& tile = *std::find_if(tiles_.begin(), tiles_.end(), holds);
    const auto place = static_cast<std::size_t>(
        std::lower_bound(tile.features.begin(), tile.features.end(), feature) - tile.features.begin());
    parallel_for_blocks(rows(), k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) column[row] = codes[row * stride];
        fill_feature(tile, place, begin, end);
    });
}

}  // namespace regrove::train
