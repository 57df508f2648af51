// Log loss: the mean of -ln(probability of the true class).
#include <algorithm>
#include <array>

#include "regrove/core/portable_math.hpp"

#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

/// Probabilities are kept this far from 0 and 1, so that one sure error does not make the mean infinite (the same
/// bound as in scikit-learn). Probabilities are not rescaled to add to one.
constexpr double k_least_probability = 0x1.0p-52;

Summary accumulate(const Predictions& p) {
    if (p.rows == 0) return {};
    std::array<ExactSum, 2> loss_and_mass;
    for (std::size_t r = 0; r < p.rows; ++r) {
        const double given = p.probability[r * p.classes + static_cast<std::size_t>(p.true_class[r])];
        const double probability = std::clamp(given, k_least_probability, 1.0 - k_least_probability);
        loss_and_mass[0].add_product(p.weight_of(r), -portable::log(probability));
        loss_and_mass[1].add(p.weight_of(r));
    }
    return to_summary(loss_and_mass);
}

double finish(const Summary& merged, std::uint32_t) {
    return exact_sum_at(merged, 0).value() / exact_sum_at(merged, 1).value();
}

}  // namespace

Metric log_loss() {
    return {.name = "log_loss",
            .description = "mean of -ln(probability of the true class)",
            .aliases = {"logloss", "mlogloss", "cross_entropy"},
            .task = Task::classification,
            .larger_is_better = false,
            .needs_probability = true,
            .accumulate = accumulate,
            .finish = finish};
}

}  // namespace regrove::metric
