// R2: one minus the squared error over the squared deviation of the truth from its mean.
#include <array>
#include <cmath>
#include <vector>

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

/// Doubles whose sum is exactly that of `sum`, largest first; seldom more than three.
std::vector<double> parts_of(ExactSum sum) {
    std::vector<double> parts;
    for (double part = sum.value(); part != 0 && std::isfinite(part); part = sum.value()) {
        parts.push_back(part);
        sum.add(-part);
    }
    return parts;
}

void add_products(ExactSum& sum, double sign, const std::vector<double>& a, const std::vector<double>& b) {
    for (const double x : a) {
        for (const double y : b) sum.add_product(sign * x, y);
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

/// The sum of w (y - mean)^2, which is (W Q - S^2) / W with W, S, Q the sums of w, w y, w y^2. The products cancel,
/// so the numerator is exact: zero if and only if the truth is constant.
double squared_deviation(const Summary& merged) {
    const ExactSum weights = exact_sum_at(merged, mass);
    const auto weight_parts = parts_of(weights);
    const auto truth_parts = parts_of(exact_sum_at(merged, truth));
    ExactSum numerator;
    add_products(numerator, 1, weight_parts, parts_of(exact_sum_at(merged, squared_truth)));
    add_products(numerator, -1, truth_parts, truth_parts);
    return numerator.value() / weights.value();
}

/// A constant truth: 1 when it is hit exactly, else 0, as scikit-learn has it.
double finish(const Summary& merged, std::uint32_t) {
    if (exact_sum_at(merged, mass).value() <= 0) return std::nan("");
    const double errors = exact_sum_at(merged, squared_errors).value();
    const double deviation = squared_deviation(merged);
    if (deviation == 0) return errors == 0 ? 1.0 : 0.0;
    return std::isfinite(deviation) ? 1.0 - errors / deviation : std::nan("");
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
