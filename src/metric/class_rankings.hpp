// Rows ranked by the probability of each class, as areas under curves need them.
//
// Two classes: the score is the probability of the second. More classes: the mean over the classes, one against the
// rest, of those for which the number is defined.
#pragma once

#include <span>

#include "regrove/metric/predictions.hpp"
#include "regrove/metric/summary.hpp"

namespace regrove::metric {

Summary rank_by_class(const Predictions& predictions);

/// The mean of one_class(ranking) over the classes' parts of the ranking for which it is not NaN.
double mean_over_classes(const Summary& merged, double (*one_class)(std::span<const ScoredRows> ranking));

}  // namespace regrove::metric
