// The table of metrics: one row each, read by evaluate, early stopping, --help and the tests.
//
// Glossary of the module:
//   metric     a number that says how good predictions are: rows -> Summary -> (merge over shards and ranks) -> number
//   hit        a row whose predicted class is the true one
//   mass       the weight of some rows; their number when rows have no weights
//   ranking    how rows are ordered by a score, for the area under the ROC curve
//   parameter  a number behind the name that makes another metric of it: ndcg@10, quantile_loss@0.9
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/metric/predictions.hpp"
#include "regrove/metric/summary.hpp"

namespace regrove::metric {

enum class Task : std::uint8_t { classification, regression };

struct Metric {
    std::string name;
    std::string description;           ///< one line for --help and docs
    std::vector<std::string> aliases;  ///< names that other libraries use
    Task task = Task::classification;
    bool larger_is_better = true;
    bool needs_probability = false;
    bool needs_groups = false;
    /// `predictions` must be valid. The same kind of weights (some or none) in all shards that have rows.
    std::function<Summary(const Predictions& predictions)> accumulate = {};
    /// The number; NaN when it is not defined (no mass, one class only for a ranking). `classes` as in Predictions.
    std::function<double(const Summary& merged, std::uint32_t classes)> finish = {};
    /// The metric for another parameter; empty when it has none. Throws ConfigError on a parameter that it cannot have.
    std::function<Metric(double parameter)> with_parameter = {};
};

std::span<const Metric> all_metrics();
/// By name or alias, with `@parameter` behind it where the metric has one; throws ConfigError listing the metrics of `task`
/// when there is none.
Metric find_metric(std::string_view name, Task task);

}  // namespace regrove::metric
