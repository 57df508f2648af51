#include "regrove/dist/binned_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "regrove/core/parallel.hpp"

namespace regrove::dist {

namespace {

/// Statistics of one chunk of looks.
constexpr std::uint64_t k_statistics_bytes = std::uint64_t{64} << 20U;

}  // namespace

std::vector<std::vector<std::uint32_t>> drawn_features(const OpenNodes& nodes, std::uint32_t features,
                                                       std::uint32_t features_a_node) {
    std::vector<std::vector<std::uint32_t>> drawn(nodes.slots());
    for (std::uint32_t slot = 0; slot < nodes.slots(); ++slot) {
        drawn[slot] = nodes.random[slot].sample_features(features, features_a_node);
    }
    return drawn;
}

HistogramSearch::HistogramSearch(comm::Communicator& comm, const TrainingSet& set, const train::CartOptions& options,
                                 const FeatureDraws& draws, std::int64_t tree_weight)
    : comm_(comm),
      set_(set),
      options_(options),
      draws_(draws),
      figures_(set.target.layout, set.target.criterion, set.target.scale, set.entropy),
      rules_(train::make_split_rules(options, set.target.layout, set.target.criterion, set.entropy,
                                     draws.extra_random, tree_weight)) {}

std::vector<FoundSplit> HistogramSearch::search(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) {
    const auto slot_of_row = slots_of_rows(nodes, node_of_row);
    const auto features = static_cast<std::uint32_t>(set_.features.size());
    const std::size_t width = set_.target.layout.size();
    std::vector<train::BinnedWinner> winners;
    for (std::uint32_t slot = 0; slot < nodes.slots(); ++slot) {
        winners.emplace_back(figures_.parent_term(train::Statistics(nodes.totals).subspan(slot * width, width)));
    }
    std::vector<FoundSplit> found(nodes.slots());
    auto wanted = drawn_features(nodes, features, draws_.features_a_node);
    look(nodes, slot_of_row, wanted, false, winners, found);
    bool again = false;
    for (std::uint32_t slot = 0; slot < nodes.slots(); ++slot) {
        wanted[slot].clear();
        if (winners[slot].any()) continue;
        wanted[slot] = nodes.random[slot].order_of_others(features, draws_.features_a_node);
        again = again || !wanted[slot].empty();
    }
    if (again) look(nodes, slot_of_row, wanted, true, winners, found);
    return found;
}

void HistogramSearch::look(const OpenNodes& nodes, std::span<const std::uint32_t> slot_of_row,
                           const std::vector<std::vector<std::uint32_t>>& features, bool in_turn,
                           std::vector<train::BinnedWinner>& winners, std::vector<FoundSplit>& found) {
    const std::uint64_t bin_bytes = set_.target.layout.size() * sizeof(std::int64_t);
    std::vector<Look> looks;
    std::uint64_t bytes = 0;
    const auto take_chunk = [&] {
        if (looks.empty()) return;
        std::stable_sort(looks.begin(), looks.end(),
                         [](const Look& x, const Look& y) { return x.feature < y.feature; });
        look_at_chunk(looks, nodes, slot_of_row, winners, found);
        looks.clear();
        bytes = 0;
    };
    for (std::uint32_t slot = 0; slot < nodes.slots(); ++slot) {
        std::uint32_t place = 0;
        for (const auto feature : features[slot]) {
            const std::uint64_t own = (std::uint64_t{most_bins(feature)} + 1) * bin_bytes;
            if (bytes + own > k_statistics_bytes) take_chunk();
            bytes += own;
            looks.push_back({slot, feature, nullptr, 0, {in_turn ? place : 0, place}});
            ++place;
        }
    }
    take_chunk();
}

void HistogramSearch::look_at_chunk(std::span<Look> looks, const OpenNodes& nodes,
                                    std::span<const std::uint32_t> slot_of_row,
                                    std::vector<train::BinnedWinner>& winners, std::vector<FoundSplit>& found) {
    const std::size_t width = set_.target.layout.size();
    choose_bins(looks, nodes, slot_of_row);
    std::size_t size = 0;
    std::vector<std::size_t> feature_begins;
    for (std::size_t i = 0; i < looks.size(); ++i) {
        looks[i].begin = size;
        size += (std::size_t{looks[i].bins->count} + 1) * width;
        if (i == 0 || looks[i].feature != looks[i - 1].feature) feature_begins.push_back(i);
    }
    feature_begins.push_back(looks.size());
    std::vector<std::int64_t> statistics(size, 0);
    // Each feature has statistics of its own, so that threads do not meet.
    parallel_for(feature_begins.size() - 1, [&](std::size_t group) {
        std::vector<const Look*> look_of_slot(nodes.slots(), nullptr);
        for (std::size_t i = feature_begins[group]; i < feature_begins[group + 1]; ++i) {
            look_of_slot[looks[i].slot] = &looks[i];
        }
        count_feature(looks[feature_begins[group]].feature, look_of_slot, slot_of_row, statistics.data());
    });
    comm_.sum(std::span<std::int64_t>(statistics));

    std::vector<std::vector<const Look*>> looks_of_slot(nodes.slots());
    for (const Look& look : looks) looks_of_slot[look.slot].push_back(&look);
    parallel_for_blocks(nodes.slots(), 16, [&](std::size_t begin, std::size_t end) {
        train::BinSweepScratch scratch;
        for (std::size_t slot = begin; slot < end; ++slot) {
            for (const Look* look : looks_of_slot[slot]) {
                const auto totals = train::Statistics(nodes.totals).subspan(slot * width, width);
                const train::BinnedFeature feature{look->bins, look->feature, totals, &nodes.random[slot]};
                const auto own =
                    train::Statistics(statistics).subspan(look->begin, (std::size_t{look->bins->count} + 1) * width);
                auto candidate = look->bins->category ? best_category_question(rules_, feature, own, scratch)
                                                      : best_numeric_question(rules_, feature, own, scratch);
                const std::uint32_t before = winners[slot].any() ? winners[slot].best().candidate.feature : 0;
                const bool had = winners[slot].any();
                winners[slot].offer(std::move(candidate), look->order);
                if (!winners[slot].any() || (had && winners[slot].best().candidate.feature == before)) continue;
                // The bins may live for this chunk only, so the question is made at once.
                found[slot].question = train::make_question(winners[slot].best(), *look->bins);
                found[slot].gains = true;
                found[slot].gain =
                    figures_.gain(winners[slot].gain_score(), train::weight(set_.target.layout, totals));
                found[slot].splittable = options_.min_gain == 0 || found[slot].gain > options_.min_gain;
            }
        }
    });
}

void BinnedSearch::count_feature(std::uint32_t feature, std::span<const Look* const> look_of_slot,
                                 std::span<const std::uint32_t> slot_of_row, std::int64_t* statistics) const {
    const std::size_t width = set_.target.layout.size();
    std::visit(
        [&](const auto& codes) {
            for (std::size_t row = 0; row < slot_of_row.size(); ++row) {
                if (slot_of_row[row] == k_no_slot) continue;
                const Look* const look = look_of_slot[slot_of_row[row]];
                if (look == nullptr) continue;
                train::add_row(set_.target.layout, statistics + look->begin + codes[row] * width,
                               set_.target.target(row), set_.target.weight(row));
            }
        },
        table_.codes[feature]);
}

std::uint32_t DrawnSearch::most_bins(std::uint32_t feature) const {
    const model::Feature& described = set_.features[feature];
    return described.kind == model::FeatureKind::category ? static_cast<std::uint32_t>(described.categories.size())
                                                          : 2;
}

void DrawnSearch::choose_bins(std::span<Look> looks, const OpenNodes& nodes,
                              std::span<const std::uint32_t> slot_of_row) {
    constexpr double k_infinity = std::numeric_limits<double>::infinity();
    const std::size_t slots = nodes.slots();
    std::vector<double> low(looks.size(), k_infinity);
    std::vector<double> high(looks.size(), -k_infinity);
    for (std::size_t begin = 0; begin < looks.size();) {
        std::size_t end = begin;
        std::vector<std::size_t> look_of_slot(slots, looks.size());
        for (; end < looks.size() && looks[end].feature == looks[begin].feature; ++end)
            look_of_slot[looks[end].slot] = end;
        const std::uint32_t feature = looks[begin].feature;
        begin = end;
        if (set_.features[feature].kind == model::FeatureKind::category) continue;
        std::visit(
            [&](const auto& values) {
                using Value = typename std::decay_t<decltype(values)>::value_type;
                if constexpr (std::is_arithmetic_v<Value>) {
                    for (std::size_t row = 0; row < slot_of_row.size(); ++row) {
                        if (slot_of_row[row] == k_no_slot) continue;
                        const std::size_t at = look_of_slot[slot_of_row[row]];
                        if (at == looks.size()) continue;
                        const double value = data::as_double(data::ColumnType::int32, set_.columns[feature], row);
                        if (std::isnan(value)) continue;
                        low[at] = std::min(low[at], value);
                        high[at] = std::max(high[at], value);
                    }
                }
            },
            set_.columns[feature]);
    }
    comm_.min(std::span<double>(low));
    comm_.max(std::span<double>(high));
    bins_.assign(looks.size(), {});
    for (std::size_t i = 0; i < looks.size(); ++i) {
        binning::Bins& bins = bins_[i];
        looks[i].bins = &bins;
        if (set_.features[looks[i].feature].kind == model::FeatureKind::category) {
            bins.category = true;
            bins.count = most_bins(looks[i].feature);
        } else if (low[i] < high[i]) {
            const double drawn =
                train::value_between(low[i], high[i], nodes.random[looks[i].slot].threshold_share(looks[i].feature));
            bins.count = 2;
            bins.low = {low[i], std::nextafter(drawn, k_infinity)};
            bins.high = {drawn, high[i]};
        } else if (low[i] == high[i]) {
            bins.count = 1;
            bins.low = {low[i]};
            bins.high = {high[i]};
        }
    }
}

void DrawnSearch::count_feature(std::uint32_t feature, std::span<const Look* const> look_of_slot,
                                std::span<const std::uint32_t> slot_of_row, std::int64_t* statistics) const {
    const std::size_t width = set_.target.layout.size();
    const bool category = set_.features[feature].kind == model::FeatureKind::category;
    const auto type = category ? data::ColumnType::category : data::ColumnType::int32;
    for (std::size_t row = 0; row < slot_of_row.size(); ++row) {
        if (slot_of_row[row] == k_no_slot) continue;
        const Look* const look = look_of_slot[slot_of_row[row]];
        if (look == nullptr) continue;
        const double value = data::as_double(type, set_.columns[feature], row);
        std::uint32_t code = look->bins->missing_code();
        if (!std::isnan(value)) {
            code = category ? static_cast<std::uint32_t>(value) : (value > look->bins->high[0] ? 1U : 0U);
        }
        train::add_row(set_.target.layout, statistics + look->begin + code * width, set_.target.target(row),
                       set_.target.weight(row));
    }
}

}  // namespace regrove::dist
