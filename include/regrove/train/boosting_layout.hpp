// A binned table laid out twice for boosting: row by row for histograms, column by column for partitioning.
//
// Histograms visit all features of scattered rows, so the codes of a row lie side by side in tiles: at most 32 bytes a row,
// padded to a power of two, so that a row of a tile never straddles two cache lines. A tile's histogram (8 bytes a bin)
// stays within the second cache. The layout follows from the numbers of features and bins only, never from timing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"

namespace regrove::train {

/// Features whose codes lie side by side: all of 8 bits or all of 16.
struct FeatureTile {
    std::vector<std::uint32_t> features;  ///< ascending
    std::uint32_t first_position = 0;     ///< of its first feature, in the order of all tiles
    std::uint32_t code_bytes = 1;
    std::size_t stride_bytes = 1;     ///< from one row to the next
    std::vector<std::uint8_t> codes;  ///< rows x stride_bytes; pads are zero
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
constexpr std::uint32_t k_most_codes = 65536;

class BoostingTable {
  public:
    /// Throws LimitError when a feature has more than k_most_codes codes. Time and memory O(rows * features).
    explicit BoostingTable(binning::BinnedTable table);

    std::size_t rows() const { return table_.rows; }
    std::uint32_t features() const { return static_cast<std::uint32_t>(table_.bins.size()); }
    const binning::Bins& bins(std::uint32_t feature) const { return table_.bins[feature]; }
    const binning::Codes& column(std::uint32_t feature) const { return table_.codes[feature]; }
    const std::vector<FeatureTile>& tiles() const { return tiles_; }
    const HistogramLayout& layout() const { return layout_; }

    /// Gives a feature of at most 255 bins other codes of the same bins: codes[row * stride]. Time O(rows).
    void set_codes(std::uint32_t feature, std::span<const std::uint8_t> codes, std::size_t stride);

  private:
    void make_tiles();
    void fill(FeatureTile& tile) const;
    void fill_feature(FeatureTile& tile, std::size_t place, std::size_t begin, std::size_t end) const;

    binning::BinnedTable table_;
    std::vector<FeatureTile> tiles_;
    HistogramLayout layout_;
};

}  // namespace regrove::train
