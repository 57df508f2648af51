// Root mean squared error.
#include <array>
#include <cmath>

#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

Summary accumulate(const Predictions& p) {
    if (p.rows == 0) return {};
    std::array<ExactSum, 2> squares_and_mass;
    for (std::size_t r = 0; r < p.rows; ++r) {
        const double error = p.predicted_value[r] - p.true_value[r];
        squares_and_mass[0].add_product(p.weight_of(r), error * error);
        squares_and_mass[1].add(p.weight_of(r));
    }
    return to_summary(squares_and_mass);
}

double finish(const Summary& merged, std::uint32_t) {
    return std::sqrt(exact_sum_at(merged, 0).value() / exact_sum_at(merged, 1).value());
}

}  // namespace

Metric rmse() {
    return {.name = "rmse",
            .description = "root of the mean squared error",
            .aliases = {"root_mean_squared_error"},
            .task = Task::regression,
            .larger_is_better = false,
            .needs_probability = false,
            .accumulate = accumulate,
            .finish = finish};
}

}  // namespace regrove::metric
