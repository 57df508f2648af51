// Sums by category, bins that end at full statistics, and one pass along an order.
#include "regrove/train/target_statistics.hpp"

#include <algorithm>

#include "regrove/core/check.hpp"
#include "regrove/core/int128.hpp"
#include "regrove/model/split.hpp"

namespace regrove::train {

namespace {

/// A full statistic and the weight of the rows that have it.
struct WeighedStatistic {
    double value = 0;
    std::int64_t weight = 0;
};

/// Distinct full statistics of the categories present, ascending.
std::vector<WeighedStatistic> distinct_statistics(const CategorySums& sums, const StatisticScale& scale,
                                                  std::uint32_t channel) {
    std::vector<WeighedStatistic> all;
    for (std::uint32_t c = 0; c < sums.categories(); ++c) {
        if (sums.weight(c) == 0) continue;
        all.push_back({scale.statistic(sums.weight(c), sums.sum(c, channel), channel), sums.weight(c)});
    }
    std::sort(all.begin(), all.end(),
              [](const WeighedStatistic& a, const WeighedStatistic& b) { return a.value < b.value; });
    std::vector<WeighedStatistic> distinct;
    for (const WeighedStatistic& one : all) {
        if (distinct.empty() || distinct.back().value != one.value) {
            distinct.push_back(one);
        } else {
            distinct.back().weight += one.weight;
        }
    }
    return distinct;
}

/// Ends of bins: each where the weight so far reaches the next of `most` equal shares.
std::vector<double> bin_ends(const std::vector<WeighedStatistic>& distinct, std::uint32_t most) {
    std::vector<double> ends;
    Int128 total = 0;
    for (const WeighedStatistic& one : distinct) total += one.weight;
    Int128 reached = 0;
    Int128 shares = 1;
    for (const WeighedStatistic& one : distinct) {
        reached += one.weight;
        if (distinct.size() > most && reached * most < shares * total) continue;
        ends.push_back(one.value);
        if (distinct.size() > most) shares = reached * most / total + 1;
    }
    return ends;
}

}  // namespace

void CategorySums::add(std::uint32_t category, const StatisticRow& row, const StatisticScale& scale) {
    std::int64_t* const words = words_.data() + std::size_t{category} * width_;
    words[0] += row.weight;
    for (std::uint32_t channel = 0; channel < scale.channels; ++channel) {
        words[1 + channel] += scale.added(row, channel);
    }
}

std::uint8_t StatisticBins::code(double statistic) const {
    const auto found = std::lower_bound(high.begin(), high.end(), statistic) - high.begin();
    return static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(found, std::ssize(high) - 1));
}

StatisticFeature make_statistic_feature(std::uint32_t feature, const CategorySums& sums, const StatisticScale& scale,
                                        std::uint32_t most_bins) {
    REGROVE_CHECK(most_bins >= 2 && most_bins <= k_statistic_bins);
    StatisticFeature made;
    made.feature = feature;
    for (std::uint32_t c = 0; c < sums.categories(); ++c) {
        if (sums.weight(c) != 0) model::insert(made.present, c);
    }
    for (std::uint32_t channel = 0; channel < scale.channels; ++channel) {
        StatisticBins bins;
        bins.high = bin_ends(distinct_statistics(sums, scale, channel), most_bins);
        if (bins.high.empty()) bins.high.push_back(scale.prior[channel]);  // no row has a value
        bins.unseen_code = bins.code(scale.statistic(0, 0, channel));
        for (std::uint32_t c = 0; c < sums.categories(); ++c) {
            bins.category_code.push_back(bins.code(scale.statistic(sums.weight(c), sums.sum(c, channel), channel)));
        }
        made.bins = std::max(made.bins, static_cast<std::uint32_t>(bins.high.size()));
        made.channels.push_back(std::move(bins));
    }
    return made;
}

void ordered_codes(std::span<const StatisticRow> rows, std::span<const std::uint32_t> categories,
                   const StatisticFeature& feature, const StatisticScale& scale, CategorySums& running,
                   std::span<std::uint8_t> codes) {
    const std::uint32_t channels = scale.channels;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::uint32_t category = categories[row];
        std::uint8_t* const out = codes.data() + row * channels;
        if (category >= running.categories()) {
            std::fill_n(out, channels, feature.missing_code());
            continue;
        }
        for (std::uint32_t channel = 0; channel < channels; ++channel) {
            out[channel] = feature.channels[channel].code(
                scale.statistic(running.weight(category), running.sum(category, channel), channel));
        }
        running.add(category, rows[row], scale);
    }
}

}  // namespace regrove::train
