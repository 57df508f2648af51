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
/// Rows that are read at a time: 64 KiB of a tile.
constexpr std::size_t k_rows_read = 2048;

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
    for (binning::Codes& codes : columns_) {
        column_at_.push_back(
            std::visit([](auto& column) { return reinterpret_cast<std::uint8_t*>(column.data()); }, codes));
    }
    make_views();
}

BoostingTable::BoostingTable(std::vector<binning::Bins> bins, std::size_t rows, const ReadTile& read,
                             std::uint64_t column_bytes)
    : rows_(rows), bins_(std::move(bins)) {
    plan_layout();
    const bool keeps = keeps_columns(column_bytes);
    if (keeps) plan_columns();
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
        FeatureTile& tile = tiles_[t];
        parallel_for_blocks(rows_, k_rows_read, [&](std::size_t begin, std::size_t end) {
            read({t, begin, end - begin}, tile, tile.codes.data() + begin * tile.stride_bytes);
            if (keeps) take_columns(tile, begin, end);
        });
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
    std::uint8_t* const column = column_at_.empty() ? nullptr : column_at_[feature];
    parallel_for_blocks(rows_, k_rows_a_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            laid[row * tile.stride_bytes] = codes[row * stride];
            if (column != nullptr) column[row] = codes[row * stride];
        }
    });
}

bool BoostingTable::keeps_columns(std::uint64_t column_bytes) const {
    std::uint64_t row_bytes = 0;
    for (const FeatureTile& tile : tiles_) row_bytes += tile.features.size() * tile.code_bytes;
    return row_bytes == 0 || rows_ <= column_bytes / row_bytes;
}

void BoostingTable::plan_columns() {
    std::size_t bytes = 0;
    for (const FeatureTile& tile : tiles_) bytes += tile.features.size() * tile.code_bytes * rows_;
    column_codes_ = LargeBuffer(bytes);
    column_at_.assign(features(), nullptr);
    // From the last tile on, whose codes are the widest: then each column is where its width asks for.
    std::uint8_t* next = column_codes_.data();
    for (auto tile = tiles_.rbegin(); tile != tiles_.rend(); ++tile) {
        for (const auto f : tile->features) {
            column_at_[f] = next;
            next += rows_ * tile->code_bytes;
        }
    }
}

void BoostingTable::take_columns(const FeatureTile& tile, std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t*> out;
    for (const auto f : tile.features) out.push_back(column_at_[f] + begin * tile.code_bytes);
    binning::take_columns(tile, tile.codes.data() + begin * tile.stride_bytes, end - begin, out);
}

void BoostingTable::make_views() {
    views_.resize(features());
    for (const FeatureTile& tile : tiles_) {
        for (std::size_t i = 0; i < tile.features.size(); ++i) {
            views_[tile.features[i]] = {tile.codes.data() + i * tile.code_bytes, tile.stride_bytes, tile.code_bytes};
        }
    }
    for (std::size_t f = 0; f < column_at_.size(); ++f) {
        if (column_at_[f] == nullptr) continue;
        views_[f] = {column_at_[f], views_[f].code_bytes, views_[f].code_bytes};
    }
}

}  // namespace regrove::train
