// Binned features that are mostly absent, column by column: for each its present cells over the rows of all ranks.
//
// Every rank owns consecutive features and holds their columns whole, so that it can search them alone; what ranks then tell
// each other while a tree grows are the gradients of their rows, and which rows leave the majority at a question.
//
// Glossary:
//   absent    a cell that the table does not store: zero, or "no value"
//   present   a cell that it stores; a value that is absent's own is never stored
//   entry     a present cell: its row over all ranks and its bin
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"

namespace regrove::train {

/// The columns [first_feature, first_feature + columns) of a table; memory 6 bytes an entry and 16 a bin.
struct SparseColumns {
    std::vector<std::uint32_t>
        owner_begins;  ///< the first feature of each rank, and the number of features at the end
    int rank = 0;
    std::uint64_t first_row = 0;    ///< of this rank's rows
    std::uint64_t rows = 0;         ///< of this rank
    std::uint64_t global_rows = 0;  ///< fewer than 2^32

    std::vector<std::uint64_t> entry_begins;  ///< an own column, and the number of entries at the end
    std::vector<std::uint32_t> entry_rows;    ///< of a column in the order of bins, within a bin ascending
    std::vector<std::uint16_t> entry_bins;    ///< the bin's number; the number of bins: no value
    std::vector<std::uint64_t> bin_begins;    ///< an own column, and the number of bins at the end
    std::vector<double> low;                  ///< smallest and largest value in each bin
    std::vector<double> high;
    std::vector<std::uint32_t> absent_bins;  ///< an own column: the bin of absent cells; the number of bins: no value

    std::uint32_t features() const { return owner_begins.back(); }
    std::uint32_t first_feature() const { return owner_begins[static_cast<std::size_t>(rank)]; }
    std::uint32_t columns() const { return owner_begins[static_cast<std::size_t>(rank) + 1] - first_feature(); }
    bool owns(std::uint32_t feature) const { return feature - first_feature() < columns(); }
    int owner(std::uint32_t feature) const;

    // Of an own column, by its place.
    std::uint32_t bin_count(std::uint32_t column) const {
        return static_cast<std::uint32_t>(bin_begins[column + 1] - bin_begins[column]);
    }
    std::span<const std::uint32_t> rows_of(std::uint32_t column) const {
        return std::span(entry_rows).subspan(entry_begins[column], entry_begins[column + 1] - entry_begins[column]);
    }
    std::span<const std::uint16_t> bins_of(std::uint32_t column) const {
        return std::span(entry_bins).subspan(entry_begins[column], entry_begins[column + 1] - entry_begins[column]);
    }
    binning::Bins bins(std::uint32_t column) const;
};

/// Features in consecutive shares of nearly equal weight, where a feature weighs as many as it has entries, and one more.
std::vector<std::uint32_t> share_features(std::span<const std::uint64_t> entries, int ranks);

}  // namespace regrove::train
