// From boundaries to codes, and to the smallest and largest value of each bin.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/binned_table.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/dist/bin_boundaries.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// Smallest key in each bin of each feature, and one more that means nothing.
using LowestKeys = std::vector<std::vector<std::uint64_t>>;

/// One list for each element of `boundaries`; no row seen yet.
LowestKeys no_lowest(std::span<const BinBoundaries> boundaries);

/// Fills the codes of the numeric features that have boundaries, and lowers `lowest` by this rank's rows. `codes` has an
/// element for each feature.
void encode_numbers(const FeatureViews& set, std::span<const BinBoundaries> boundaries,
                    std::span<binning::Codes> codes, LowestKeys& lowest);

/// Fills the codes of the category features.
void encode_categories(const FeatureViews& set, std::span<const model::Feature> features,
                       std::span<binning::Codes> codes);

/// The minimum over all ranks, for the bins that may hold several values. At most one collective.
void merge_lowest(comm::Communicator& comm, std::span<const BinBoundaries> boundaries, LowestKeys& lowest);

/// `values` tells the type of the feature's cells.
binning::Bins make_bins(const data::ColumnValues& values, const BinBoundaries& boundaries,
                        std::span<const std::uint64_t> lowest);
binning::Bins category_bins(const model::Feature& feature);

bool is_category(const model::Feature& feature);

}  // namespace regrove::dist
