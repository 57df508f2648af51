// The table of metrics and finding a row of it by name.
#include "regrove/metric/registry.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"

#include "metric_rows.hpp"

namespace regrove::metric {

std::span<const Metric> all_metrics() {
    static const std::vector<Metric> metrics = {
        accuracy(), error(), balanced_accuracy(), macro_f1(), log_loss(), roc_auc(), rmse(), mae(), r2(),
    };
    return metrics;
}

const Metric& find_metric(std::string_view name, Task task) {
    std::string known;
    for (const Metric& metric : all_metrics()) {
        if (metric.task != task) continue;
        if (metric.name == name || std::ranges::find(metric.aliases, name) != metric.aliases.end()) return metric;
        known += (known.empty() ? "" : ", ") + metric.name;
    }
    throw ConfigError("no metric '" + std::string(name) + "' for " +
                      (task == Task::classification ? "classification" : "regression") + "; there are: " + known);
}

}  // namespace regrove::metric
