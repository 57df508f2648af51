// The rows of the metric table, each from the file of its name.
#pragma once

#include "regrove/metric/registry.hpp"

namespace regrove::metric {

Metric accuracy();
Metric error();
Metric balanced_accuracy();
Metric macro_f1();
Metric log_loss();
Metric roc_auc();
Metric rmse();
Metric mae();
Metric r2();

}  // namespace regrove::metric
