// Bin boundaries of a table that is never whole in memory, from one pass over its chunks.
//
// A feature with no more distinct values than bins has a bin for each: all rows are looked at. Of the others, boundaries are the
// exact quantiles of a sample of rows. A row is in the sample by a random number keyed by the seed and its number in the table, so
// that neither ranks nor chunks matter. With n sampled rows, the share of rows at or below every boundary is off by at most
// sqrt(ln(2 / delta) / (2 n)) with probability 1 - delta (Dvoretzky, Kiefer and Wolfowitz 1956; Massart 1990): 0.14 % for four
// million rows and delta of one in ten million. A sample of all rows gives the bins of bin_table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/bin_boundaries.hpp"
#include "regrove/dist/chunk_source.hpp"

namespace regrove::dist {

struct StreamedBinning {
    std::uint32_t max_bin = 255;
    /// Rows that quantiles are taken from, about; a table of no more rows is sampled whole. Zero: all rows.
    std::uint64_t sample_rows = 0;
    std::uint64_t seed = 0;
};

/// What a rank keeps for a table of so many features is about as many cells in all: 2^27, and 2^17 to 2^22 rows.
std::uint64_t default_sample_rows(std::size_t features);

struct StreamedBoundaries {
    std::vector<BinBoundaries> numeric;  ///< of the numeric features, ascending
    std::uint64_t sampled_rows = 0;      ///< over all ranks
    std::string table_hash;              ///< of all cells
};

/// Goes through the source once. Collective; throws InputError on features that cannot be binned.
StreamedBoundaries find_streamed_boundaries(comm::Communicator& comm, ChunkSource& source,
                                            const StreamedBinning& options);

/// Rows of weight zero, which take no part; empty: none.
std::vector<bool> rows_left_out(const data::TableShard& chunk);

}  // namespace regrove::dist
