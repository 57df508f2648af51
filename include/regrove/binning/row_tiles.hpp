// Codes laid row by row: the codes of some features of a row lie side by side in a tile.
//
// A row of a tile takes at most 32 bytes, padded to a power of two, so that it never straddles two cache lines. Which
// feature lies in which tile follows from the features' numbers of bins only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"

namespace regrove::binning {

/// Features whose codes lie side by side: all of 8 bits or all of 16.
struct TileShape {
    std::vector<std::uint32_t> features;  ///< ascending
    std::uint32_t code_bytes = 1;
    std::size_t stride_bytes = 1;  ///< from one row to the next; a power of two from 4 to 32

    friend bool operator==(const TileShape&, const TileShape&) = default;
};

/// The most bytes of a row in a tile.
constexpr std::size_t k_tile_bytes = 32;
/// The greatest number of codes of a feature, one for "no value" included.
constexpr std::uint32_t k_most_tile_codes = 65536;

/// Features of 8 bits first, then those of 16. Throws LimitError when a feature has more than k_most_tile_codes codes.
std::vector<TileShape> plan_tiles(std::span<const Bins> bins);

/// Lays rows [begin, end) of all columns of a table into `out`, where row `begin` comes first; pads are zero.
void lay_rows(const TileShape& tile, std::span<const Codes> columns, std::size_t begin, std::size_t end,
              std::uint8_t* out);

/// The codes of `rows` rows that lie at `laid`, each of tile.code_bytes, to a column a feature: that of tile.features[i] begins at
/// out[i]. `laid` is read up to its last whole row.
void take_columns(const TileShape& tile, const std::uint8_t* laid, std::size_t rows,
                  std::span<std::uint8_t* const> out);

}  // namespace regrove::binning
