// Deviances of Poisson, gamma and Tweedie models: twice what the log likelihood falls short of the best.
#include <algorithm>
#include <limits>
#include <string>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/portable_math.hpp"

#include "mean_loss.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

/// Predicted means are kept this far above zero, so that one bad prediction does not make the mean infinite.
constexpr double k_least_mean = 1e-16;
constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

double poisson_loss(double truth, double prediction) {
    if (truth < 0) return k_nan;
    const double mean = std::max(prediction, k_least_mean);
    const double surprise = truth > 0 ? truth * portable::log(truth / mean) : 0.0;
    return 2 * (surprise - truth + mean);
}

double gamma_loss(double truth, double prediction) {
    if (!(truth > 0)) return k_nan;
    const double ratio = truth / std::max(prediction, k_least_mean);
    return 2 * (ratio - 1 - portable::log(ratio));
}

double tweedie_loss(double truth, double prediction, double power) {
    if (truth < 0) return k_nan;
    const double log_mean = portable::log(std::max(prediction, k_least_mean));
    const double best =
        truth > 0 ? portable::exp((2 - power) * portable::log(truth)) / ((1 - power) * (2 - power)) : 0.0;
    return 2 * (best - truth * portable::exp((1 - power) * log_mean) / (1 - power) +
                portable::exp((2 - power) * log_mean) / (2 - power));
}

Metric deviance(std::string name, std::string description, std::vector<std::string> aliases, RowLoss loss) {
    return {.name = std::move(name),
            .description = std::move(description),
            .aliases = std::move(aliases),
            .task = Task::regression,
            .larger_is_better = false,
            .accumulate = [loss = std::move(loss)](const Predictions& p) { return sum_losses(p, loss); },
            .finish = mean_loss};
}

}  // namespace

Metric poisson_deviance() {
    return deviance("poisson_deviance", "mean Poisson deviance of numbers from 0 up", {"poisson-nloglik", "poisson"},
                    poisson_loss);
}

Metric gamma_deviance() {
    return deviance("gamma_deviance", "mean gamma deviance of numbers above 0", {"gamma-deviance", "gamma"},
                    gamma_loss);
}

Metric tweedie_deviance(double power) {
    if (!(power > 1 && power < 2)) throw ConfigError("metric tweedie_deviance: the power must lie between 1 and 2");
    const std::string name =
        power == k_usual_tweedie_power ? "tweedie_deviance" : "tweedie_deviance@" + to_text(power);
    Metric metric =
        deviance(name, "mean Tweedie deviance with variance mean^1.5; @P for another power between 1 and 2",
                 {"tweedie-nloglik", "tweedie"},
                 [power](double truth, double prediction) { return tweedie_loss(truth, prediction, power); });
    metric.with_parameter = tweedie_deviance;
    return metric;
}

}  // namespace regrove::metric
