// Mean absolute error.
#include <array>
#include <cmath>

#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

Summary accumulate(const Predictions& p) {
    if (p.rows == 0) return {};
    std::array<ExactSum, 2> errors_and_mass;
    for (std::size_t r = 0; r < p.rows; ++r) {
        errors_and_mass[0].add_product(p.weight_of(r), std::fabs(p.predicted_value[r] - p.true_value[r]));
        errors_and_mass[1].add(p.weight_of(r));
    }
    return to_summary(errors_and_mass);
}

double finish(const Summary& merged, std::uint32_t) {
    return exact_sum_at(merged, 0).value() / exact_sum_at(merged, 1).value();
}

}  // namespace

Metric mae() {
    return {.name = "mae",
            .description = "mean absolute error",
            .aliases = {"mean_absolute_error", "l1"},
            .task = Task::regression,
            .larger_is_better = false,
            .needs_probability = false,
            .accumulate = accumulate,
            .finish = finish};
}

}  // namespace regrove::metric
