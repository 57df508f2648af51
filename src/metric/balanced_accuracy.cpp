// Balanced accuracy: the mean, over the classes that occur in the truth, of the share that is predicted right.
#include "class_masses.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

double finish(const Summary& merged, std::uint32_t classes) {
    double recalls = 0;
    double present = 0;
    for (const ClassMasses& mass : finish_class_masses(merged, classes)) {
        if (mass.truth <= 0) continue;
        recalls += mass.hits / mass.truth;
        present += 1;
    }
    return recalls / present;
}

}  // namespace

Metric balanced_accuracy() {
    return {.name = "balanced_accuracy",
            .description = "mean over the true classes of the share predicted right",
            .aliases = {},
            .task = Task::classification,
            .larger_is_better = true,
            .needs_probability = false,
            .accumulate = accumulate_class_masses,
            .finish = finish};
}

}  // namespace regrove::metric
