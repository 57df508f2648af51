// The mean target of a category, shrunk towards that of all rows, and the bins that such means are grown on.
//
// Glossary:
//   channel            one statistic of a category: of two classes that of the second, of more one for each, of numbers the label
//   full statistic     of all training rows of the category: what the model answers by
//   ordered statistic  of the rows of the category before a row in some order: what growth sees for that row, whose own label is
//                      not in it (Prokhorenkova et al. 2018, section 3.2)
// Sums are integers in units of powers of two, so that they are exact in any order of adding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace regrove::train {

/// What a row adds to its category.
struct StatisticRow {
    std::int64_t weight = 0;  ///< in weight units; zero: takes no part
    std::int64_t target = 0;  ///< classes: the class; numbers: weight * label in value units
};

/// How sums become statistics.
struct StatisticScale {
    std::uint32_t channels = 1;
    bool classes = true;        ///< targets are classes; of one channel it is that of class 1
    double weight_unit = 1;     ///< powers of two
    double value_unit = 1;      ///< classes: the weight unit
    double prior_weight = 1;    ///< how much the prior counts beside the rows, in the scale of weights
    std::vector<double> prior;  ///< by channel

    /// What a row adds to a channel's sum.
    std::int64_t added(const StatisticRow& row, std::uint32_t channel) const {
        if (!classes) return row.target;
        return row.target == (channels == 1 ? 1 : static_cast<std::int64_t>(channel)) ? row.weight : 0;
    }
    /// The statistic of rows of this weight and sum of targets: (sum + a prior) / (weight + a).
    double statistic(std::int64_t weight, std::int64_t sum, std::uint32_t channel) const {
        return (static_cast<double>(sum) * value_unit + prior_weight * prior[channel]) /
               (static_cast<double>(weight) * weight_unit + prior_weight);
    }
};

/// Sums of the categories of one feature, channels + 1 words each: the weight, then the targets of each channel.
class CategorySums {
  public:
    CategorySums() = default;
    CategorySums(std::uint32_t categories, std::uint32_t channels)
        : width_(channels + 1), words_(std::size_t{categories} * width_, 0) {}

    std::uint32_t categories() const { return static_cast<std::uint32_t>(words_.size() / width_); }
    std::int64_t weight(std::uint32_t category) const { return words_[std::size_t{category} * width_]; }
    std::int64_t sum(std::uint32_t category, std::uint32_t channel) const {
        return words_[std::size_t{category} * width_ + 1 + channel];
    }
    void add(std::uint32_t category, const StatisticRow& row, const StatisticScale& scale);
    std::span<std::int64_t> words() { return words_; }

  private:
    std::size_t width_ = 2;
    std::vector<std::int64_t> words_;
};

/// The most bins of a feature's statistics: a code, "no value" included, takes one byte.
constexpr std::uint32_t k_statistic_bins = 255;

/// The bins of one channel of one feature. Each bin ends at the full statistic of some category and holds at least one, so
/// that a cut between two bins and the set of categories behind it determine each other.
struct StatisticBins {
    std::vector<double> high;                 ///< ascending; statistics above the last are in the last bin
    std::vector<std::uint8_t> category_code;  ///< the bin of each category's full statistic
    std::uint8_t unseen_code = 0;             ///< the prior's: categories without rows

    /// The bin of a statistic.
    std::uint8_t code(double statistic) const;
};

/// One feature's categories, told apart by statistics.
struct StatisticFeature {
    std::uint32_t feature = 0;
    std::uint32_t bins = 1;              ///< the greatest number of all channels
    std::vector<std::uint64_t> present;  ///< bit c set: category c has rows of some weight
    std::vector<StatisticBins> channels;

    std::uint8_t missing_code() const { return static_cast<std::uint8_t>(bins); }
};

/// Bins of about equal weight, at most `most_bins` <= k_statistic_bins; a bin for each full statistic when they are no more.
StatisticFeature make_statistic_feature(std::uint32_t feature, const CategorySums& sums, const StatisticScale& scale,
                                        std::uint32_t most_bins);

/// Codes of ordered statistics, row by row: `rows` and `categories` (of one feature; one that the feature does not have: no
/// value) in the order's order. `running` holds the sums of all rows before the first, and behind the last in the end.
/// codes[row * channels + channel] is written. Time O(rows * channels * log bins).
void ordered_codes(std::span<const StatisticRow> rows, std::span<const std::uint32_t> categories,
                   const StatisticFeature& feature, const StatisticScale& scale, CategorySums& running,
                   std::span<std::uint8_t> codes);

}  // namespace regrove::train
