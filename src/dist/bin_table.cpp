#include "regrove/dist/bin_table.hpp"

#include <algorithm>

#include "regrove/binning/bin_codes.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/bin_boundaries.hpp"

namespace regrove::dist {

namespace {

using binning::BinnedTable;
using binning::Bins;

bool is_category(const TrainingSet& set, std::size_t feature) {
    return set.features[feature].kind == model::FeatureKind::category;
}

void add_categories(const TrainingSet& set, BinnedTable& table) {
    parallel_for(set.features.size(), [&](std::size_t f) {
        if (!is_category(set, f)) return;
        table.bins[f].category = true;
        table.bins[f].count = static_cast<std::uint32_t>(set.features[f].categories.size());
        table.codes[f] =
            binning::encode_categories(std::get<std::vector<std::int32_t>>(set.columns[f]), table.bins[f].count);
    });
}

/// Smallest key in each bin of each feature, and one more that means nothing; over this rank's rows.
using LowestKeys = std::vector<std::vector<std::uint64_t>>;

/// Fills the codes of the features.
LowestKeys encode_features(const TrainingSet& set, const std::vector<BinBoundaries>& boundaries, BinnedTable& table) {
    std::size_t most = 0;
    for (const auto& b : boundaries) most = std::max(most, b.keys.size() + 1);
    const FeatureTasks tasks(boundaries.size(), set.rows(), most * sizeof(std::uint64_t));
    LowestKeys lowest(tasks.count());
    parallel_for(boundaries.size(), [&](std::size_t i) {
        const auto bins = static_cast<std::uint32_t>(boundaries[i].keys.size());
        table.codes[boundaries[i].feature] = binning::make_codes(bins, set.rows());
    });
    parallel_for(tasks.count(), [&](std::size_t task) {
        const auto& b = boundaries[tasks.feature(task)];
        lowest[task].assign(b.keys.size() + 1, ~std::uint64_t{0});
        binning::encode({set.columns[b.feature], set.left_out}, tasks.range(task), b.keys, table.codes[b.feature],
                        lowest[task]);
    });
    LowestKeys merged;
    for (std::size_t task = 0; task < tasks.count(); ++task) {
        if (task % tasks.parts == 0) {
            merged.push_back(std::move(lowest[task]));
            continue;
        }
        auto& into = merged.back();
        for (std::size_t bin = 0; bin < into.size(); ++bin) into[bin] = std::min(into[bin], lowest[task][bin]);
    }
    return merged;
}

/// The minimum over all ranks, for the bins that may hold several values. One collective.
void merge_lowest(comm::Communicator& comm, const std::vector<BinBoundaries>& boundaries, LowestKeys& lowest) {
    // The largest complement is that of the smallest key.
    std::vector<std::uint64_t> complements;
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
        if (boundaries[i].exact) continue;
        for (const auto key : lowest[i]) complements.push_back(~key);
    }
    if (complements.empty()) return;
    comm.max(std::span<std::uint64_t>(complements));
    auto next = complements.cbegin();
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
        if (boundaries[i].exact) continue;
        for (auto& key : lowest[i]) key = ~*next++;
    }
}

Bins make_bins(const data::ColumnValues& values, const BinBoundaries& boundaries,
               std::span<const std::uint64_t> lowest) {
    Bins bins;
    bins.count = static_cast<std::uint32_t>(boundaries.keys.size());
    for (std::size_t bin = 0; bin < boundaries.keys.size(); ++bin) {
        const std::uint64_t high = boundaries.keys[bin];
        const std::uint64_t low = boundaries.exact ? high : lowest[bin];
        REGROVE_CHECK(low <= high && (bin == 0 || boundaries.keys[bin - 1] < low));
        bins.low.push_back(binning::key_value(values, low));
        bins.high.push_back(binning::key_value(values, high));
    }
    return bins;
}

void bin_batch(comm::Communicator& comm, const TrainingSet& set, std::span<const std::size_t> features,
               std::uint32_t max_bin, BinnedTable& table) {
    const auto boundaries = find_boundaries(comm, set, features, max_bin);
    auto lowest = comm::agree_on(comm, [&] { return encode_features(set, boundaries, table); });
    merge_lowest(comm, boundaries, lowest);
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
        const std::size_t f = boundaries[i].feature;
        table.bins[f] = make_bins(set.columns[f], boundaries[i], lowest[i]);
    }
}

}  // namespace

BinnedTable bin_categories(const TrainingSet& set) {
    BinnedTable table;
    table.rows = set.rows();
    table.bins.resize(set.features.size());
    table.codes.resize(set.features.size());
    add_categories(set, table);
    return table;
}

BinnedTable bin_table(comm::Communicator& comm, const TrainingSet& set, std::uint32_t max_bin) {
    REGROVE_CHECK(max_bin >= 2);
    BinnedTable table;
    std::vector<std::size_t> numeric;
    comm::agree_on(comm, [&] {
        table = bin_categories(set);
        for (std::size_t f = 0; f < set.features.size(); ++f) {
            if (!is_category(set, f)) numeric.push_back(f);
        }
    });
    const std::size_t batch = features_a_batch(max_bin, comm.size());
    for (std::size_t begin = 0; begin < numeric.size(); begin += batch) {
        const std::size_t count = std::min(batch, numeric.size() - begin);
        bin_batch(comm, set, std::span<const std::size_t>(numeric).subspan(begin, count), max_bin, table);
    }
    return table;
}

}  // namespace regrove::dist
