#include "regrove/dist/bin_boundaries.hpp"

#include <algorithm>

#include "regrove/binning/distinct_keys.hpp"
#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"

namespace regrove::dist {

namespace {

using binning::KeyColumn;
using binning::QuantileSearch;
using KeyLists = std::vector<std::vector<std::uint64_t>>;

struct FeatureSearch {
    std::size_t feature;
    QuantileSearch search;
};

KeyColumn column_of(const FeatureViews& set, std::size_t feature) { return {set.columns[feature], set.left_out}; }

/// For each list, all ranks' elements behind each other. Two collectives.
KeyLists gather_lists(comm::Communicator& comm, const KeyLists& own) {
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint64_t> flat;
    for (const auto& list : own) {
        sizes.push_back(list.size());
        flat.insert(flat.end(), list.begin(), list.end());
    }
    sizes = comm.gather_all(std::span<const std::uint64_t>(sizes));
    flat = comm.gather_all(std::span<const std::uint64_t>(flat));
    KeyLists all(own.size());
    auto from = flat.cbegin();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto end = from + static_cast<std::ptrdiff_t>(sizes[i]);
        auto& list = all[i % own.size()];
        list.insert(list.end(), from, end);
        from = end;
    }
    return all;
}

/// Distinct keys of each feature over all ranks where there are at most max_bin of them; else max_bin + 1 or more.
KeyLists distinct_values(comm::Communicator& comm, const FeatureViews& set, std::span<const std::size_t> features,
                         std::uint32_t max_bin) {
    KeyLists keys = comm::agree_on(comm, [&] {
        KeyLists own(features.size());
        parallel_for(features.size(), [&](std::size_t i) {
            own[i] = binning::distinct_keys(column_of(set, features[i]), {0, set.rows()}, max_bin);
        });
        return own;
    });
    return merge_distinct(comm, std::move(keys), max_bin);
}

std::vector<FeatureSearch*> open_searches(std::vector<FeatureSearch>& searches, bool wanting_keys) {
    std::vector<FeatureSearch*> open;
    for (auto& s : searches) {
        if (!s.search.done() && s.search.wants_keys() == wanting_keys) open.push_back(&s);
    }
    return open;
}

/// The tables of the features behind each other, counted over this rank's rows.
std::vector<std::uint64_t> count_tables(const FeatureViews& set, const std::vector<FeatureSearch*>& open) {
    std::vector<std::size_t> begins{0};
    for (const auto* s : open) begins.push_back(begins.back() + s->search.table_size());
    const std::size_t all = begins.back();
    const FeatureTasks tasks(open.size(), set.rows(), all / open.size() * sizeof(std::uint64_t));
    std::vector<std::uint64_t> tables(all * tasks.parts, 0);
    parallel_for(tasks.count(), [&](std::size_t task) {
        const auto& s = *open[tasks.feature(task)];
        const std::size_t begin = task % tasks.parts * all + begins[tasks.feature(task)];
        s.search.count(column_of(set, s.feature), tasks.range(task),
                       std::span(tables).subspan(begin, s.search.table_size()));
    });
    for (std::size_t i = all; i < tables.size(); ++i) tables[i % all] += tables[i];
    tables.resize(all);
    return tables;
}

void count_round(comm::Communicator& comm, const FeatureViews& set, std::vector<FeatureSearch>& searches) {
    const auto open = open_searches(searches, false);
    if (open.empty()) return;
    auto tables = comm::agree_on(comm, [&] { return count_tables(set, open); });
    comm.sum(std::span<std::uint64_t>(tables));
    std::vector<std::span<const std::uint64_t>> parts;
    std::size_t begin = 0;
    for (const auto* s : open) {
        parts.push_back(std::span(tables).subspan(begin, s->search.table_size()));
        begin += s->search.table_size();
    }
    parallel_for(open.size(), [&](std::size_t i) { open[i]->search.advance(parts[i]); });
}

void collect_round(comm::Communicator& comm, const FeatureViews& set, std::vector<FeatureSearch>& searches) {
    const auto open = open_searches(searches, true);
    if (open.empty()) return;
    auto keys = comm::agree_on(comm, [&] {
        KeyLists own(open.size());
        parallel_for(open.size(), [&](std::size_t i) {
            own[i] = open[i]->search.collect(column_of(set, open[i]->feature), {0, set.rows()});
        });
        return own;
    });
    keys = gather_lists(comm, keys);
    parallel_for(open.size(), [&](std::size_t i) { open[i]->search.advance_by_keys(std::move(keys[i])); });
}

bool all_done(const std::vector<FeatureSearch>& searches) {
    return std::all_of(searches.begin(), searches.end(), [](const auto& s) { return s.search.done(); });
}

}  // namespace

FeatureTasks::FeatureTasks(std::size_t feature_count, std::size_t row_count, std::size_t bytes)
    : features(feature_count), rows(row_count) {
    if (features == 0) return;
    const std::size_t wanted = (2 * std::size_t{thread_count()} + features - 1) / features;
    const std::size_t affordable = k_batch_bytes / (features * std::max<std::size_t>(bytes, 1));
    parts = std::max<std::size_t>(1, std::min(wanted, affordable));
}

binning::RowRange FeatureTasks::range(std::size_t task) const {
    const std::size_t part = task % parts;
    return {rows * part / parts, rows * (part + 1) / parts};
}

std::size_t features_a_batch(std::uint32_t max_bin, int ranks, const binning::QuantileSizes& sizes) {
    const std::size_t gathered = static_cast<std::size_t>(ranks) * (std::size_t{max_bin} + 1);
    const std::size_t bytes = sizeof(std::uint64_t) * std::max(sizes.table_bound(max_bin), gathered);
    return std::max<std::size_t>(1, k_batch_bytes / bytes);
}

KeyLists merge_distinct(comm::Communicator& comm, KeyLists keys, std::uint32_t max_bin) {
    std::vector<std::uint64_t> most;
    for (const auto& list : keys) most.push_back(list.size());
    comm.max(std::span<std::uint64_t>(most));
    // One rank with too many settles it: nothing needs to be sent.
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (most[i] > max_bin) keys[i].clear();
    }
    keys = gather_lists(comm, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (most[i] > max_bin) {
            keys[i].resize(most[i]);
        } else {
            binning::make_distinct(keys[i]);
        }
    }
    return keys;
}

std::vector<BinBoundaries> find_boundaries(comm::Communicator& comm, const FeatureViews& set,
                                           std::span<const std::size_t> features, std::uint32_t max_bin,
                                           const binning::QuantileSizes& sizes) {
    auto distinct = distinct_values(comm, set, features, max_bin);
    std::vector<FeatureSearch> searches;
    std::vector<BinBoundaries> found;
    for (std::size_t i = 0; i < features.size(); ++i) {
        if (distinct[i].size() <= max_bin) {
            found.push_back({features[i], true, std::move(distinct[i])});
        } else {
            const unsigned bits = binning::key_bits(set.columns[features[i]]);
            searches.push_back({features[i], QuantileSearch(bits, max_bin, set.global_rows, sizes)});
        }
    }
    while (!all_done(searches)) {
        count_round(comm, set, searches);
        collect_round(comm, set, searches);
    }
    for (const auto& s : searches) found.push_back({s.feature, false, s.search.boundaries()});
    return found;
}

}  // namespace regrove::dist
