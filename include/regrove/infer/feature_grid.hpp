// Values of one feature at which to ask a model: one from each interval between its thresholds, or each category.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

enum class GridKind : std::uint8_t { interval, category, missing };

struct GridPoint {
    GridKind kind = GridKind::interval;
    double cell = 0;  ///< as Binding::fill would write it
    // Of an interval: low < x <= high, on which no answer of the model hangs on x.
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Numbers: the intervals that the thresholds of all questions and surrogates about the feature cut, ascending, but
/// for those that hold no number of the feature's precision; when there are more than `most` (at least 2), that many
/// of them, evenly by their number, the first and the last among them. Categories: all, in the order of the
/// dictionary. Last, when some question saw it in training: no value.
std::vector<GridPoint> feature_grid(const model::Ensemble& ensemble, FeatureId feature, std::size_t most);

}  // namespace regrove::infer
