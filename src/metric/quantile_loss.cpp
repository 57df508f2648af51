// Quantile loss: a truth above the prediction costs q for each unit, one below it 1 - q.
#include <string>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

#include "mean_loss.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {

Metric quantile_loss(double quantile) {
    if (!(quantile > 0 && quantile < 1))
        throw ConfigError("metric quantile_loss: the quantile must lie between 0 and 1");
    const auto loss = [quantile](double truth, double prediction) {
        const double above = truth - prediction;
        return above >= 0 ? quantile * above : (quantile - 1) * above;
    };
    return {.name = quantile == k_usual_quantile ? "quantile_loss" : "quantile_loss@" + to_text(quantile),
            .description = "mean quantile loss of the median; @Q for another quantile between 0 and 1",
            .aliases = {"pinball_loss", "quantile"},
            .task = Task::regression,
            .larger_is_better = false,
            .accumulate = [loss](const Predictions& p) { return sum_losses(p, loss); },
            .finish = mean_loss,
            .with_parameter = quantile_loss};
}

}  // namespace regrove::metric
