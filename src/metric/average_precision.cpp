// Average precision: the mean over the rows of a class of the precision among the rows that score at least as high.
#include <limits>

#include "class_rankings.hpp"
#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

/// Steps of recall times precision at each score, from the highest down; NaN without rows of the class.
double precision_over_recall(std::span<const ScoredRows> ranking) {
    ExactSum positives;
    ExactSum all;
    ExactSum weighted;
    for (std::size_t end = ranking.size(); end > 0;) {
        ExactSum positives_here;
        const double score = ranking[end - 1].score;
        for (; end > 0 && ranking[end - 1].score == score; --end) {
            const ScoredRows& rows = ranking[end - 1];
            all.add_product(rows.weight, static_cast<double>(rows.count));
            if (rows.positive == 1) positives_here.add_product(rows.weight, static_cast<double>(rows.count));
        }
        positives.merge(positives_here);
        const double mass = all.value();
        if (mass > 0) weighted.add_product(positives_here.value(), positives.value() / mass);
    }
    const double mass = positives.value();
    return mass > 0 ? weighted.value() / mass : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Metric average_precision() {
    return {.name = "average_precision",
            .description =
                "mean precision over the rows of the second class; several classes: mean of one against the rest",
            .aliases = {"aucpr", "ap", "pr_auc"},
            .task = Task::classification,
            .larger_is_better = true,
            .needs_probability = true,
            .accumulate = rank_by_class,
            .finish = [](const Summary& merged, std::uint32_t) {
                return mean_over_classes(merged, precision_over_recall);
            }};
}

}  // namespace regrove::metric
