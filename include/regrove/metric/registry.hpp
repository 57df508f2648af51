// The table of metrics: one row each, read by evaluate, early stopping, --help and the tests.
//
// Glossary of the module:
//   metric     a number that says how good predictions are: rows -> Summary -> (merge over shards and ranks) ->
//   number hit        a row whose predicted class is the true one mass       the weight of some rows; their number
//   when rows have no weights ranking    how rows are ordered by a score, for the area under the ROC curve
#pragma once

#include <cstdint>
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
    /// `predictions` must be valid. The same kind of weights (some or none) in all shards that have rows.
    Summary (*accumulate)(const Predictions& predictions) = nullptr;
    /// The number; NaN when it is not defined (no mass, one class only for a ranking). `classes` as in Predictions.
    double (*finish)(const Summary& merged, std::uint32_t classes) = nullptr;
};

std::span<const Metric> all_metrics();
/// By name or alias; throws ConfigError listing the metrics of `task` when there is none.
const Metric& find_metric(std::string_view name, Task task);

}  // namespace regrove::metric
