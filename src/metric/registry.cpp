// The table of metrics and finding a row of it by name.
#include "regrove/metric/registry.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

#include "metric_rows.hpp"

namespace regrove::metric {

namespace {

Metric with_asked_parameter(const Metric& metric, std::string_view asked) {
    const auto at = asked.find('@');
    if (at == std::string_view::npos) return metric;
    const auto number = parse_double(asked.substr(at + 1));
    if (!metric.with_parameter || number.status != NumberStatus::ok)
        throw ConfigError("metric '" + std::string(asked) +
                          "': " + (metric.with_parameter ? "a number must follow the @" : "it has no parameter"));
    return metric.with_parameter(number.value);
}

}  // namespace

std::span<const Metric> all_metrics() {
    static const std::vector<Metric> metrics = {
        accuracy(),
        error(),
        balanced_accuracy(),
        macro_f1(),
        log_loss(),
        roc_auc(),
        average_precision(),
        rmse(),
        mae(),
        r2(),
        poisson_deviance(),
        gamma_deviance(),
        tweedie_deviance(k_usual_tweedie_power),
        quantile_loss(k_usual_quantile),
        ndcg(k_all_places),
    };
    return metrics;
}

Metric find_metric(std::string_view asked, Task task) {
    const std::string_view name = asked.substr(0, asked.find('@'));
    std::string known;
    for (const Metric& metric : all_metrics()) {
        if (metric.task != task) continue;
        if (metric.name == name || std::ranges::find(metric.aliases, name) != metric.aliases.end())
            return with_asked_parameter(metric, asked);
        known += (known.empty() ? "" : ", ") + metric.name;
    }
    throw ConfigError("no metric '" + std::string(asked) + "' for " +
                      (task == Task::classification ? "classification" : "regression") + "; there are: " + known);
}

}  // namespace regrove::metric
