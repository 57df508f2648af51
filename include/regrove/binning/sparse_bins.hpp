// The bins of a feature from its present cells and the number of absent ones: those of the dense column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"

namespace regrove::binning {

/// The present cells of one numeric column over all ranks, NaN for missing ones, and what the others are.
struct SparseColumn {
    std::span<const double> values;
    std::span<const std::uint8_t> left_out;  ///< a mark a present cell whose row takes no part; empty: all do
    std::uint64_t absent_rows = 0;           ///< absent cells of rows that take part
    bool absent_is_missing = false;          ///< else they are zero
};

struct SparseColumnBins {
    Bins bins;
    std::uint32_t absent_bin = 0;      ///< of absent cells; bins.count: no value
    std::vector<std::uint32_t> codes;  ///< of each present cell
};

/// A bin for each distinct value when there are at most max_bin of them, else those of the places ceil(j n / max_bin), as
/// dist::bin_table finds them. Time O(present cells * log), whatever the number of absent ones.
SparseColumnBins bin_sparse_column(const SparseColumn& column, std::uint32_t max_bin);

}  // namespace regrove::binning
