// What a metric compares: the truth and the predictions of some rows.
#pragma once

#include <cstdint>
#include <span>

namespace regrove::metric {

/// Views of equally long columns; what a task does not use stays empty.
struct Predictions {
    std::size_t rows = 0;
    /// Number of classes, or 0 for regression.
    std::uint32_t classes = 0;
    std::span<const std::int32_t> true_class = {};       ///< each in [0, classes)
    std::span<const std::int32_t> predicted_class = {};  ///< each in [0, classes)
    /// Row by row, `classes` a row; empty when the model gives none (then metrics that need it must not be asked).
    std::span<const double> probability = {};
    std::span<const double> true_value = {};
    std::span<const double> predicted_value = {};
    /// Where each group of rows that are ranked among each other begins, ascending from 0, with `rows` at the end; a group is
    /// whole in one shard. Empty when rows have no groups (then metrics that need them must not be asked).
    std::span<const std::uint64_t> group_begins = {};
    /// Finite, not negative; empty: 1 each.
    std::span<const double> weight = {};

    double weight_of(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
};

/// Checks lengths, classes, and that numbers are finite; throws InputError naming the row (from zero, as given here).
void validate(const Predictions& predictions);

}  // namespace regrove::metric
