// A binned table laid out for boosting: row by row for histograms and, where memory allows, column by column for
// partitioning, too.
//
// Histograms visit all features of scattered rows, so the codes of a row lie side by side in tiles (binning/row_tiles.hpp). A
// tile's histogram (8 bytes a bin) stays within the second cache. Partitions ask for one feature of many rows: columns serve
// them faster as long as one fits a cache; a larger table does without. The layout follows from the numbers of rows, features
// and bins only, never from timing, and nothing that is computed depends on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/binning/row_tiles.hpp"
#include "regrove/core/large_buffer.hpp"

namespace regrove::train {

/// The codes of some features of all rows of this rank.
struct FeatureTile : binning::TileShape {
    std::uint32_t first_position = 0;  ///< of its first feature, in the order of all tiles
    LargeBuffer codes;                 ///< rows x stride_bytes, and k_tile_bytes more; pads are zero
};

/// The codes of one feature, wherever they lie.
struct CodeColumn {
    const std::uint8_t* first = nullptr;
    std::size_t stride_bytes = 1;  ///< from one row to the next
    std::uint32_t code_bytes = 1;  ///< 1 or 2

    std::uint32_t operator[](std::size_t row) const {
        const std::uint8_t* const at = first + row * stride_bytes;
        return code_bytes == 1 ? *at : *reinterpret_cast<const std::uint16_t*>(at);
    }
    /// One code behind another.
    bool dense() const { return stride_bytes == code_bytes; }
};

/// Words of a histogram: one for each bin and one for "no value", feature by feature in the order of the tiles
/// (positions).
struct HistogramLayout {
    std::vector<std::uint32_t> feature_at;   ///< position -> feature
    std::vector<std::uint32_t> position_of;  ///< feature -> position
    std::vector<std::uint64_t> first_word;   ///< by position, with the number of words at the end

    std::uint64_t words() const { return first_word.back(); }
    std::uint64_t words_of(std::uint32_t position) const { return first_word[position + 1] - first_word[position]; }
};

/// The greatest number of bins of a feature, one for "no value" included.
constexpr std::uint32_t k_most_codes = binning::k_most_tile_codes;
/// Columns are kept beside the tiles as long as they take no more than this on a rank.
constexpr std::uint64_t k_column_bytes = std::uint64_t{256} << 20U;

class BoostingTable {
  public:
    /// Throws LimitError when a feature has more than k_most_codes codes. Time and memory O(rows * features). Columns are let
    /// go, tile by tile, where they would take more than `column_bytes`.
    explicit BoostingTable(binning::BinnedTable table, std::uint64_t column_bytes = k_column_bytes);

    /// Some rows of a tile (binning::plan_tiles).
    struct TileRows {
        std::size_t tile;
        std::size_t begin;
        std::size_t count;
    };
    /// Writes the codes of these rows as they lie in the tile. Called by several threads at once.
    using ReadTile = std::function<void(const TileRows& rows, const binning::TileShape& shape, std::uint8_t* laid)>;
    /// Codes that lie in tiles already, such as those of a file. Each block of rows goes to its columns while it is in a cache.
    BoostingTable(std::vector<binning::Bins> bins, std::size_t rows, const ReadTile& read,
                  std::uint64_t column_bytes = k_column_bytes);

    std::size_t rows() const { return rows_; }
    std::uint32_t features() const { return static_cast<std::uint32_t>(bins_.size()); }
    const binning::Bins& bins(std::uint32_t feature) const { return bins_[feature]; }
    const CodeColumn& column(std::uint32_t feature) const { return views_[feature]; }
    const std::vector<FeatureTile>& tiles() const { return tiles_; }
    const HistogramLayout& layout() const { return layout_; }

    /// Gives a feature of at most 255 bins other codes of the same bins: codes[row * stride]. Time O(rows).
    void set_codes(std::uint32_t feature, std::span<const std::uint8_t> codes, std::size_t stride);

  private:
    void plan_layout();
    bool keeps_columns(std::uint64_t column_bytes) const;
    void plan_columns();
    void take_columns(const FeatureTile& tile, std::size_t begin, std::size_t end);
    void make_views();

    std::size_t rows_ = 0;
    std::vector<binning::Bins> bins_;
    std::vector<FeatureTile> tiles_;
    HistogramLayout layout_;
    std::vector<binning::Codes> columns_;   ///< a feature; empty where they are not kept, or in column_codes_
    LargeBuffer column_codes_;              ///< columns taken from tiles, one behind another
    std::vector<std::uint8_t*> column_at_;  ///< a feature: where its column begins; null or empty: it has none
    std::vector<CodeColumn> views_;         ///< a feature: its column, or its place in a tile
};

}  // namespace regrove::train
