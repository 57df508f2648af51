// Macro F1: the mean F1 of the classes that occur in the truth or in the predictions.
#include "class_masses.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

double finish(const Summary& merged, std::uint32_t classes) {
    double scores = 0;
    double present = 0;
    for (const ClassMasses& mass : finish_class_masses(merged, classes)) {
        const double either = mass.truth + mass.predicted;
        if (either <= 0) continue;
        // 2 precision recall / (precision + recall), without its 0/0.
        scores += 2 * mass.hits / either;
        present += 1;
    }
    return scores / present;
}

}  // namespace

Metric macro_f1() {
    return {.name = "macro_f1",
            .description = "mean F1 of the classes that occur in the truth or the predictions",
            .aliases = {"f1_macro"},
            .task = Task::classification,
            .larger_is_better = true,
            .needs_probability = false,
            .accumulate = accumulate_class_masses,
            .finish = finish};
}

}  // namespace regrove::metric
