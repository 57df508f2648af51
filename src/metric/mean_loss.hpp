// The weighted mean of a loss of true and predicted number, summed exactly.
#pragma once

#include <functional>

#include "regrove/metric/predictions.hpp"
#include "regrove/metric/summary.hpp"

namespace regrove::metric {

/// A row's loss; what is not finite makes the mean infinite or NaN.
using RowLoss = std::function<double(double truth, double prediction)>;

Summary sum_losses(const Predictions& predictions, const RowLoss& loss);
double mean_loss(const Summary& merged, std::uint32_t classes);

}  // namespace regrove::metric
