// Accuracy: the share of the mass whose predicted class is the true one; error is the rest.
#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

enum Cell : std::size_t { hit, miss, k_cells };

Summary accumulate(const Predictions& p) {
    if (p.rows == 0) return {};
    MassCells cells(k_cells, p);
    for (std::size_t r = 0; r < p.rows; ++r) {
        cells.add(p.true_class[r] == p.predicted_class[r] ? hit : miss, p.weight_of(r));
    }
    return cells.take();
}

double share(const Summary& merged, Cell cell) {
    const auto mass = masses(merged.words, k_cells);
    return mass[cell] / (mass[hit] + mass[miss]);
}

}  // namespace

Metric accuracy() {
    return {.name = "accuracy",
            .description = "share of the rows whose class is predicted right",
            .aliases = {"acc"},
            .task = Task::classification,
            .larger_is_better = true,
            .needs_probability = false,
            .accumulate = accumulate,
            .finish = [](const Summary& merged, std::uint32_t) { return share(merged, hit); }};
}

Metric error() {
    return {.name = "error",
            .description = "share of the rows whose class is predicted wrong",
            .aliases = {"merror"},
            .task = Task::classification,
            .larger_is_better = false,
            .needs_probability = false,
            .accumulate = accumulate,
            .finish = [](const Summary& merged, std::uint32_t) { return share(merged, miss); }};
}

}  // namespace regrove::metric
