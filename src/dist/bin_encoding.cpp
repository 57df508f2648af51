// Parts of the rows of each feature, over the threads; then one merge over the ranks.
#include "regrove/dist/bin_encoding.hpp"

#include <algorithm>
#include <utility>

#include "regrove/binning/bin_codes.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::dist {

using binning::Bins;

bool is_category(const model::Feature& feature) { return feature.kind == model::FeatureKind::category; }

LowestKeys no_lowest(std::span<const BinBoundaries> boundaries) {
    LowestKeys lowest;
    for (const BinBoundaries& b : boundaries) lowest.emplace_back(b.keys.size() + 1, ~std::uint64_t{0});
    return lowest;
}

void encode_numbers(const FeatureViews& set, std::span<const BinBoundaries> boundaries,
                    std::span<binning::Codes> codes, LowestKeys& lowest) {
    std::size_t most = 0;
    for (const auto& b : boundaries) most = std::max(most, b.keys.size() + 1);
    const FeatureTasks tasks(boundaries.size(), set.rows(), most * sizeof(std::uint64_t));
    LowestKeys parts(tasks.count());
    parallel_for(boundaries.size(), [&](std::size_t i) {
        const auto bins = static_cast<std::uint32_t>(boundaries[i].keys.size());
        codes[boundaries[i].feature] = binning::make_codes(bins, set.rows());
    });
    parallel_for(tasks.count(), [&](std::size_t task) {
        const auto& b = boundaries[tasks.feature(task)];
        parts[task].assign(b.keys.size() + 1, ~std::uint64_t{0});
        binning::encode({set.columns[b.feature], set.left_out}, tasks.range(task), b.keys, codes[b.feature],
                        parts[task]);
    });
    for (std::size_t task = 0; task < tasks.count(); ++task) {
        auto& into = lowest[tasks.feature(task)];
        for (std::size_t bin = 0; bin < into.size(); ++bin) into[bin] = std::min(into[bin], parts[task][bin]);
    }
}

void encode_categories(const FeatureViews& set, std::span<const model::Feature> features,
                       std::span<binning::Codes> codes) {
    parallel_for(features.size(), [&](std::size_t f) {
        if (!is_category(features[f])) return;
        codes[f] = binning::encode_categories(std::get<std::vector<std::int32_t>>(set.columns[f]),
                                              static_cast<std::uint32_t>(features[f].categories.size()));
    });
}

void merge_lowest(comm::Communicator& comm, std::span<const BinBoundaries> boundaries, LowestKeys& lowest) {
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

Bins category_bins(const model::Feature& feature) {
    Bins bins;
    bins.category = true;
    bins.count = static_cast<std::uint32_t>(feature.categories.size());
    return bins;
}

}  // namespace regrove::dist
