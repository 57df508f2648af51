// Scale, full statistics, then order after order: rows to their places, sums along the stretch, codes back to the rows.
#include "regrove/dist/target_statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/placed_rows.hpp"
#include "regrove/train/question_codes.hpp"
#include "regrove/train/statistic_questions.hpp"

namespace regrove::dist {

namespace {

using train::CategorySums;
using train::StatisticFeature;
using train::StatisticRow;
using train::StatisticScale;

constexpr std::uint64_t k_order_streams = (std::uint64_t{16} << 56U) | (std::uint64_t{1} << 55U);
/// Features whose categories travel together and are summed by the threads: at most so many, whose sums and rows take about so
/// much memory on a rank (one feature may take more).
constexpr std::size_t k_features_a_batch = 8;
constexpr std::uint64_t k_batch_bytes = std::uint64_t{256} << 20U;

/// A power of two such that `rows` numbers up to `largest` are at most 2^60 units together. Numbers near the smallest of all are
/// whole multiples of that one.
double unit_for(double largest, std::uint64_t rows) {
    if (!(largest > 0)) return 1;
    if (!std::isfinite(largest))
        throw InputError(
            "--target-statistics: a label times its row's weight is too large for a number; scale labels or weights "
            "down");
    const int exponent = std::ilogb(largest) + 1 + static_cast<int>(std::bit_width(rows));
    return std::ldexp(1.0, std::max(exponent - 60,
                                    std::numeric_limits<double>::min_exponent - std::numeric_limits<double>::digits));
}

/// How many features from `begin` on are taken at once: a function of what all ranks know. `bytes(i)` are those of feature i.
template <class Bytes>
std::size_t batch_of(std::size_t begin, std::size_t features, Bytes bytes) {
    std::size_t count = 1;
    std::uint64_t sum = bytes(begin);
    while (count < k_features_a_batch && begin + count < features) {
        sum += bytes(begin + count);
        if (sum > k_batch_bytes) break;
        ++count;
    }
    return count;
}

/// Of a feature's sums over rows, for each category and channel.
std::uint64_t sums_bytes(std::uint32_t categories, std::uint32_t channels) {
    return std::uint64_t{categories} * (channels + 1) * sizeof(std::int64_t);
}

/// The rows of this rank as integers, on a scale that all ranks share.
struct ScaledRows {
    StatisticScale scale;
    std::vector<StatisticRow> rows;
};

std::vector<StatisticRow> scale_rows(const objective::LabelledRows& labelled, const StatisticScale& scale) {
    std::vector<StatisticRow> rows(labelled.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double weight = labelled.weight(i);
        rows[i].weight = std::llrint(weight / scale.weight_unit);
        const double target = scale.classes ? labelled.labels[i] : weight * labelled.labels[i] / scale.value_unit;
        rows[i].target = std::llrint(target);
    }
    return rows;
}

/// The prior of each channel is the mean of all rows; `strength` counts in rows of mean weight.
void set_prior(comm::Communicator& comm, double strength, ScaledRows& scaled) {
    StatisticScale& scale = scaled.scale;
    CategorySums all(1, scale.channels);
    std::uint64_t rows = 0;
    for (const StatisticRow& row : scaled.rows) {
        all.add(0, row, scale);
        rows += row.weight != 0 ? 1 : 0;
    }
    comm.sum(all.words());
    rows = comm.sum(rows);
    const double weight = static_cast<double>(all.weight(0)) * scale.weight_unit;
    const double mean_weight = rows == 0 ? 1 : weight / static_cast<double>(rows);
    scale.prior_weight = strength * mean_weight;
    for (std::uint32_t channel = 0; channel < scale.channels; ++channel) {
        scale.prior.push_back(rows == 0 ? 0 : static_cast<double>(all.sum(0, channel)) * scale.value_unit / weight);
    }
}

ScaledRows scale_all(comm::Communicator& comm, const BoostingSet& set, double strength) {
    const RowLabels rows = comm::agree_on(comm, [&] { return set.rows.whole(); });
    const objective::LabelledRows labelled = rows.view();
    std::array<double, 2> largest{0, 0};  // weight, weight * label
    for (std::size_t i = 0; i < labelled.rows(); ++i) {
        largest[0] = std::max(largest[0], labelled.weight(i));
        largest[1] = std::max(largest[1], std::fabs(labelled.weight(i) * labelled.labels[i]));
    }
    comm.max(std::span<double>(largest));
    ScaledRows scaled;
    StatisticScale& scale = scaled.scale;
    scale.classes = set.task == model::Task::classification;
    scale.channels = scale.classes ? static_cast<std::uint32_t>(set.objective->scores()) : 1;
    scale.weight_unit = unit_for(largest[0], set.global_rows);
    scale.value_unit = scale.classes ? scale.weight_unit : unit_for(largest[1], set.global_rows);
    scaled.rows = comm::agree_on(comm, [&] { return scale_rows(labelled, scale); });
    set_prior(comm, strength, scaled);
    return scaled;
}

std::vector<std::uint32_t> categories_of_rows(const binning::Codes& codes) {
    return std::visit([](const auto& column) { return std::vector<std::uint32_t>(column.begin(), column.end()); },
                      codes);
}

/// Bins by the full statistics of a batch of features. Collective.
std::vector<StatisticFeature> full_batch(comm::Communicator& comm, const ScaledRows& scaled,
                                         std::span<const std::uint32_t> features, std::uint32_t most_bins,
                                         const binning::BinnedTable& binned) {
    std::vector<CategorySums> sums(features.size());
    comm::agree_on(comm, [&] {
        parallel_for(features.size(), [&](std::size_t i) {
            sums[i] = CategorySums(binned.bins[features[i]].count, scaled.scale.channels);
            const auto categories = categories_of_rows(binned.codes[features[i]]);
            for (std::size_t row = 0; row < categories.size(); ++row) {
                if (categories[row] < sums[i].categories())
                    sums[i].add(categories[row], scaled.rows[row], scaled.scale);
            }
        });
    });
    for (CategorySums& of_feature : sums) comm.sum(of_feature.words());
    std::vector<StatisticFeature> made(features.size());
    comm::agree_on(comm, [&] {
        parallel_for(features.size(), [&](std::size_t i) {
            made[i] = make_statistic_feature(features[i], sums[i], scaled.scale, most_bins);
        });
    });
    return made;
}

/// Bins by the full statistics, a batch of features after the other. Collective.
std::vector<StatisticFeature> full_statistics(comm::Communicator& comm, const ScaledRows& scaled,
                                              std::span<const std::uint32_t> features, std::uint32_t most_bins,
                                              const binning::BinnedTable& binned) {
    const auto bytes = [&](std::size_t i) {
        return sums_bytes(binned.bins[features[i]].count, scaled.scale.channels);
    };
    std::vector<StatisticFeature> all;
    for (std::size_t begin = 0; begin < features.size();) {
        const std::size_t count = batch_of(begin, features.size(), bytes);
        for (auto& feature : full_batch(comm, scaled, features.subspan(begin, count), most_bins, binned))
            all.push_back(std::move(feature));
        begin += count;
    }
    return all;
}

/// Codes by the statistics along one order. Collective.
class OrderPass {
  public:
    OrderPass(comm::Communicator& comm, const ScaledRows& scaled, const KeyedPermutation& order,
              std::uint64_t first_row)
        : comm_(comm),
          scale_(scaled.scale),
          most_rows_(comm.max(static_cast<std::uint64_t>(scaled.rows.size()))),
          placed_(comm, order, first_row, scaled.rows.size()),
          rows_(placed_.to_slots(comm, std::span<const StatisticRow>(scaled.rows))) {}

    /// A feature after the other.
    std::vector<std::vector<std::uint8_t>> codes(std::span<const StatisticFeature> features,
                                                 const binning::BinnedTable& binned) {
        const auto bytes = [&](std::size_t i) {
            return sums_bytes(binned.bins[features[i].feature].count, scale_.channels) +
                   most_rows_ * (sizeof(std::uint32_t) + scale_.channels);
        };
        std::vector<std::vector<std::uint8_t>> all;
        for (std::size_t begin = 0; begin < features.size();) {
            const std::size_t count = batch_of(begin, features.size(), bytes);
            for (auto& column : codes_of_batch(features.subspan(begin, count), binned)) {
                all.push_back(std::move(column));
            }
            begin += count;
        }
        return all;
    }

  private:
    std::vector<std::vector<std::uint8_t>> codes_of_batch(std::span<const StatisticFeature> features,
                                                          const binning::BinnedTable& binned) {
        std::vector<std::vector<std::uint32_t>> categories;
        std::vector<CategorySums> running;
        for (const StatisticFeature& feature : features) {
            const auto own = categories_of_rows(binned.codes[feature.feature]);
            categories.push_back(placed_.to_slots(comm_, std::span<const std::uint32_t>(own)));
            running.push_back(sums_before(categories.back(), binned.bins[feature.feature].count));
        }
        std::vector<std::vector<std::uint8_t>> codes(features.size());
        comm::agree_on(comm_, [&] {
            parallel_for(features.size(), [&](std::size_t i) {
                codes[i].resize(rows_.size() * scale_.channels);
                train::ordered_codes(rows_, categories[i], features[i], scale_, running[i], codes[i]);
            });
        });
        for (auto& column : codes) {
            column = placed_.to_rows(comm_, std::span<const std::uint8_t>(column), scale_.channels);
        }
        return codes;
    }

    /// Of all rows at places of the ranks before this one.
    CategorySums sums_before(std::span<const std::uint32_t> categories, std::uint32_t count) {
        CategorySums sums(count, scale_.channels);
        if (comm_.size() == 1) return sums;
        for (std::size_t slot = 0; slot < categories.size(); ++slot) {
            if (categories[slot] < count) sums.add(categories[slot], rows_[slot], scale_);
        }
        comm_.exclusive_sum(sums.words());
        return sums;
    }

    comm::Communicator& comm_;
    const StatisticScale& scale_;
    std::uint64_t most_rows_;  ///< of any rank
    PlacedRows placed_;
    std::vector<StatisticRow> rows_;
};

/// Bins whose values are their own numbers.
binning::Bins numbered_bins(std::uint32_t count) {
    binning::Bins bins;
    bins.count = count;
    for (std::uint32_t bin = 0; bin < count; ++bin) bins.high.push_back(bin);
    bins.low = bins.high;
    return bins;
}

}  // namespace

std::vector<std::uint32_t> statistic_features(const std::vector<model::Feature>& features,
                                              const train::BoostingOptions& options) {
    std::vector<std::uint32_t> wanted;
    const bool all = options.target_statistics == train::TargetStatisticsFor::all;
    if (options.target_statistics == train::TargetStatisticsFor::none) return wanted;
    for (std::uint32_t f = 0; f < features.size(); ++f) {
        if (features[f].kind != model::FeatureKind::category) continue;
        if (all || features[f].categories.size() > options.target_statistics_above) wanted.push_back(f);
    }
    return wanted;
}

KeyedPermutation statistic_order(std::uint64_t seed, std::uint32_t order, std::uint64_t rows) {
    return {seed, k_order_streams | order, rows};
}

const StatisticFeature* TargetStatistics::find(FeatureId feature) const {
    const auto found = std::lower_bound(features_.begin(), features_.end(), index(feature),
                                        [](const StatisticFeature& a, std::size_t f) { return a.feature < f; });
    return found != features_.end() && found->feature == index(feature) ? &*found : nullptr;
}

void TargetStatistics::show(train::BoostingTable& table, std::uint64_t round, std::size_t score) {
    const std::uint64_t wanted = round % orders_.size() * channels_ + channel(score);
    if (wanted == shown_) return;
    const auto& codes = orders_[round % orders_.size()];
    for (std::size_t i = 0; i < features_.size(); ++i) {
        table.set_codes(features_[i].feature, std::span(codes[i]).subspan(channel(score)), channels_);
    }
    shown_ = wanted;
}

void TargetStatistics::say_in_categories(train::GrownBoostedTree& grown, std::size_t score) const {
    for (std::size_t i = 0; i < grown.tree.nodes.size(); ++i) {
        model::Node& node = grown.tree.nodes[i];
        if (node.is_leaf()) continue;
        const StatisticFeature* const feature = find(node.question.feature);
        if (feature == nullptr) continue;
        train::ask_for_categories(*feature, channel(score), node.question, grown.questions[i]);
    }
}

train::GrownBoostedTree TargetStatistics::read(const model::Tree& tree, std::size_t score,
                                               const train::BoostingTable& table) const {
    train::GrownBoostedTree grown{tree, {}, {}};
    for (const model::Node& node : tree.nodes) {
        grown.questions.emplace_back();
        if (node.is_leaf()) continue;
        const auto f = static_cast<std::uint32_t>(index(node.question.feature));
        const StatisticFeature* const feature = find(node.question.feature);
        grown.questions.back() =
            feature != nullptr ? train::cut_of_categories(*feature, channel(score), node.question, table.column(f))
                               : train::codes_of_question(node.question, table.bins(f), table.column(f));
    }
    return grown;
}

std::unique_ptr<TargetStatistics> take_target_statistics(comm::Communicator& comm, const BoostingSet& set,
                                                         const train::BoostingOptions& options, std::uint64_t seed,
                                                         binning::BinnedTable& binned) {
    const auto wanted = statistic_features(set.features, options);
    if (wanted.empty()) return nullptr;
    const ScaledRows scaled = scale_all(comm, set, options.target_statistics_prior);
    const std::uint32_t most_bins = std::min(options.max_bin, train::k_statistic_bins);
    auto statistics = std::make_unique<TargetStatistics>(full_statistics(comm, scaled, wanted, most_bins, binned),
                                                         scaled.scale.channels);
    for (std::uint32_t order = 0; order < options.target_statistics_orders; ++order) {
        OrderPass pass(comm, scaled, statistic_order(seed, order, set.global_rows), set.first_row);
        statistics->add_order(pass.codes(statistics->features(), binned));
    }
    comm::agree_on(comm, [&] {
        for (const StatisticFeature& feature : statistics->features()) {
            binned.bins[feature.feature] = numbered_bins(feature.bins);
            binned.codes[feature.feature] = std::vector<std::uint8_t>(binned.rows, feature.missing_code());
        }
    });
    return statistics;
}

}  // namespace regrove::dist
