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
Metric average_precision();
Metric rmse();
Metric mae();
Metric r2();
Metric poisson_deviance();
Metric gamma_deviance();
constexpr double k_usual_tweedie_power = 1.5;
Metric tweedie_deviance(double power);
constexpr double k_usual_quantile = 0.5;
Metric quantile_loss(double quantile);
constexpr double k_all_places = 0;
Metric ndcg(double places);

}  // namespace regrove::metric
