// The mass of each pair of true and predicted class.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/metric/predictions.hpp"
#include "regrove/metric/summary.hpp"

namespace regrove::metric {

Summary accumulate_confusion(const Predictions& predictions);

/// classes x classes masses, row by row; rows are true classes. Zeros for Summary{}.
std::vector<double> finish_confusion(const Summary& merged, std::uint32_t classes);

}  // namespace regrove::metric
