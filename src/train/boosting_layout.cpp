// Tiles filled from columns, or columns from tiles, block by block of rows.
#include "regrove/train/boosting_layout.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "regrove/binning/bin_codes.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::train {

namespace {

constexpr std::size_t k_rows_a_block = 16384;

}  // namespace

BoostingTable::BoostingTable(binning::BinnedTable table, std::uint64_t column_bytes)
    : rows_(table.rows), bins_(std::move(table.bins)), columns_(std::move(table.codes)) {
    plan_layout();
    const bool keeps = keeps_columns(column_bytes);
    for (FeatureTile& tile : tiles_) {
        parallel_for_blocks(rows_, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
            binning::lay_rows(tile, columns_, begin, end, tile.codes.data() + begin * tile.stride_bytes);
        });
        if (keeps) continue;
        for (const auto f : tile.features) columns_[f] = binning::Codes{};
    }
    if (!keeps) columns_.clear();
    make_views();
}

BoostingTable::BoostingTable(std::vector<binning::Bins> bins, std::size_t rows, const ReadTile& read,
                             std::uint64_t column_bytes)
    : rows_(rows), bins_(std::move(bins)) {
    plan_layout();
    const bool keeps = keeps_columns(column_bytes);
    if (keeps) columns_.resize(bins_.size());
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
        read(t, tiles_[t], tiles_[t].codes.data());
        if (keeps) take_columns(tiles_[t]);
    }
    make_views();
}

void BoostingTable::plan_layout() {
    layout_.position_of.resize(features());
    layout_.first_word.push_back(0);
    for (auto& shape : binning::plan_tiles(bins_)) {
        FeatureTile tile;
        static_cast<binning::TileShape&>(tile) = std::move(shape);
        tile.first_position = static_cast<std::uint32_t>(layout_.feature_at.size());
        for (const auto f : tile.features) {
            layout_.position_of[f] = static_cast<std::uint32_t>(layout_.feature_at.size());
            layout_.feature_at.push_back(f);
            layout_.first_word.push_back(layout_.first_word.back() + bins_[f].count + 1);
        }
        // More than the rows, so that kernels may read whole groups of codes.
        tile.codes = LargeBuffer(rows_ * tile.stride_bytes + binning::k_tile_bytes);
        std::fill_n(tile.codes.data() + rows_ * tile.stride_bytes, binning::k_tile_bytes, std::uint8_t{0});
        tiles_.push_back(std::move(tile));
    }
}

void BoostingTable::set_codes(std::uint32_t feature, std::span<const std::uint8_t> codes, std::size_t stride) {
    const std::uint32_t position = layout_.position_of[feature];
    const auto after = std::find_if(tiles_.begin(), tiles_.end(),
                                    [&](const FeatureTile& tile) { return tile.first_position > position; });
    FeatureTile& tile = *std::prev(after);
    std::uint8_t* const laid = tile.codes.data() + (position - tile.first_position);
    auto* const column = columns_.empty() ? nullptr : &std::get<std::vector<std::uint8_t>>(columns_[feature]);
    parallel_for_blocks(rows_, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            laid[row * tile.stride_bytes] = codes[row * stride];
            if (column != nullptr) (*column)[row] = codes[row * stride];
        }
    });
}

bool BoostingTable::keeps_columns(std::uint64_t column_bytes) const {
    std::uint64_t row_bytes = 0;
    for (const FeatureTile& tile : tiles_) row_bytes += tile.features.size() * tile.code_bytes;
    return row_bytes == 0 || rows_ <= column_bytes / row_bytes;
}

void BoostingTable::take_columns(const FeatureTile& tile) {
    for (const auto f : tile.features) columns_[f] = binning::make_codes(bins_[f].count, rows_);
    parallel_for_blocks(rows_, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = 0; i < tile.features.size(); ++i) {
            std::visit(
                [&](auto& column) {
                    binning::take_column(tile, i, tile.codes.data() + begin * tile.stride_bytes, end - begin,
                                         reinterpret_cast<std::uint8_t*>(column.data() + begin));
                },
                columns_[tile.features[i]]);
        }
    });
}

void BoostingTable::make_views() {
    views_.resize(features());
    for (const FeatureTile& tile : tiles_) {
        for (std::size_t i = 0; i < tile.features.size(); ++i) {
            views_[tile.features[i]] = {tile.codes.data() + i * tile.code_bytes, tile.stride_bytes, tile.code_bytes};
        }
    }
    for (std::size_t f = 0; f < columns_.size(); ++f) {
        std::visit(
            [&](const auto& column) {
                using Code = typename std::decay_t<decltype(column)>::value_type;
                if (sizeof(Code) != views_[f].code_bytes) return;
                views_[f] = {reinterpret_cast<const std::uint8_t*>(column.data()), sizeof(Code), sizeof(Code)};
            },
            columns_[f]);
    }
}

}  // namespace regrove::train
