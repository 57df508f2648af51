// The chart of a cross-validation's first metric: by fold, or by the value of the varied option.
#pragma once

#include <string>

#include "regrove/draw/line_chart.hpp"
#include "regrove/pipeline/crossvalidation_tables.hpp"

namespace regrove::pipeline {

/// Held-out and training rows are a line each. By value: points are means, bars one standard error up and down; values
/// that are not all numbers stand side by side in the order given. Undefined numbers have no point.
draw::LineChart crossvalidation_chart(const SweepResults& results);

}  // namespace regrove::pipeline
