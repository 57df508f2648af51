// How long a model is predicted to take for a row: a fixed sum over its trees, so that it can decide something.
#pragma once

#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

/// Nanoseconds a row on one core with AVX2, in tables of thousands of rows: what FastScores needs for a model that sums
/// scores, what walking row by row needs for others. From the constants of walk_costs.hpp alone, the same on every machine;
/// only ratios should be relied on.
double predicted_row_ns(const model::Ensemble& ensemble);

}  // namespace regrove::infer
