// R2: one minus the squared error over the squared deviation of the truth from its mean.
#include <array>
#include <cmath>

#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

enum Sum : std::size_t { squared_errors, mass, truth, squared_truth, k_sums };

/// Adds weight * value^2 without rounding the square.
void add_square(ExactSum& sum, double weight, double value) {
    const double square = value * value;
    sum.add_product(weight, square);
    sum.add_product(weight, std::fma(value, value, -square));
}

/// Adds factor * addend, the latter to twice the precision of double.
void add_scaled(ExactSum& sum, double factor, ExactSum addend) {
    for (int part = 0; part < 2; ++part) {
        const double value = addend.value();
        sum.add_product(factor, value);
        addend.add(-value);
    }
}

Summary accumulate(const Predictions& p) {
    if (p.rows == 0) return {};
    std::array<ExactSum, k_sums> sums;
    for (std::size_t r = 0; r < p.rows; ++r) {
        const double weight = p.weight_of(r);
        const double error = p.predicted_value[r] - p.true_value[r];
        sums[squared_errors].add_product(weight, error * error);
        sums[mass].add(weight);
        sums[truth].add_product(weight, p.true_value[r]);
        add_square(sums[squared_truth], weight, p.true_value[r]);
    }
    return to_summary(sums);
}

/// sum of w (y - m)^2 = sum of w y^2 - 2 m sum of w y + m^2 sum of w, where the big terms cancel: hence exactly. That
/// m is the mean rounded adds only the square of that rounding.
double squared_deviation(const Summary& merged) {
    const ExactSum weights = exact_sum_at(merged, mass);
    const ExactSum sum = exact_sum_at(merged, truth);
    const double mean = sum.value() / weights.value();
    ExactSum deviation = exact_sum_at(merged, squared_truth);
    add_scaled(deviation, -2 * mean, sum);
    const double square = mean * mean;
    add_scaled(deviation, square, weights);
    add_scaled(deviation, std::fma(mean, mean, -square), weights);
    return std::fmax(deviation.value(), 0.0);
}

/// A constant truth: 1 when it is hit exactly, else 0, as scikit-learn has it.
double finish(const Summary& merged, std::uint32_t) {
    if (exact_sum_at(merged, mass).value() <= 0) return std::nan("");
    const double errors = exact_sum_at(merged, squared_errors).value();
    const double deviation = squared_deviation(merged);
    if (deviation == 0) return errors == 0 ? 1.0 : 0.0;
    return 1.0 - errors / deviation;
}

}  // namespace

Metric r2() {
    return {.name = "r2",
            .description = "share of the squared deviation from the mean that the predictions explain",
            .aliases = {"r2_score"},
            .task = Task::regression,
            .larger_is_better = true,
            .needs_probability = false,
            .accumulate = accumulate,
            .finish = finish};
}

}  // namespace regrove::metric
