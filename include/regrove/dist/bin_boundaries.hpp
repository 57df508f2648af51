// The upper boundaries of numeric features' bins, found by all ranks together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/binning/key_column.hpp"
#include "regrove/binning/quantile_search.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/dist/training_set.hpp"

namespace regrove::dist {

/// A rank's rows of features, and which of them take no part; views.
struct FeatureViews {
    std::span<const data::ColumnValues> columns;  ///< one a feature
    const std::vector<bool>& left_out;            ///< empty: none
    std::size_t row_count = 0;
    std::uint64_t global_rows = 0;

    FeatureViews(const TrainingSet& set)
        : columns(set.columns), left_out(set.left_out), row_count(set.rows()), global_rows(set.global_rows) {}
    FeatureViews(std::span<const data::ColumnValues> values, const std::vector<bool>& out, std::size_t rows,
                 std::uint64_t rows_of_all)
        : columns(values), left_out(out), row_count(rows), global_rows(rows_of_all) {}
    std::size_t rows() const { return row_count; }
};

/// The upper boundaries of one feature's bins as sort keys, ascending; no element: no row that takes part has a value.
struct BinBoundaries {
    std::size_t feature = 0;
    bool exact = false;  ///< each is the only value of its bin
    std::vector<std::uint64_t> keys;
};

/// Tables and gathered keys of one batch of features take about this many bytes on each rank.
constexpr std::size_t k_batch_bytes = std::size_t{64} << 20U;

/// Consecutive tasks for one feature after the other, each for a part of the rows, so that few features keep all
/// threads busy as well.
struct FeatureTasks {
    std::size_t features = 0;
    std::size_t parts = 1;
    std::size_t rows = 0;

    /// `bytes`: what a task holds; more than one part a feature is taken only within k_batch_bytes.
    FeatureTasks(std::size_t features, std::size_t rows, std::size_t bytes);
    std::size_t count() const { return features * parts; }
    std::size_t feature(std::size_t task) const { return task / parts; }
    binning::RowRange range(std::size_t task) const;
};

/// How many features are worked on together, so that they stay within k_batch_bytes; at least one.
std::size_t features_a_batch(std::uint32_t max_bin, int ranks, const binning::QuantileSizes& sizes = {});

/// For each list, the distinct keys of all ranks, ascending, where there are at most max_bin of them; else max_bin + 1 or more
/// elements that mean nothing. A rank's list holds its distinct keys, or more than max_bin elements. Three collectives.
std::vector<std::vector<std::uint64_t>> merge_distinct(comm::Communicator& comm,
                                                       std::vector<std::vector<std::uint64_t>> keys,
                                                       std::uint32_t max_bin);

/// Of these numeric features. Collective; docs/binning.md has the messages and bytes.
std::vector<BinBoundaries> find_boundaries(comm::Communicator& comm, const FeatureViews& set,
                                           std::span<const std::size_t> features, std::uint32_t max_bin,
                                           const binning::QuantileSizes& sizes = {});

}  // namespace regrove::dist
