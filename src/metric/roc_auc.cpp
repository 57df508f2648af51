// Area under the ROC curve: the chance that a row of the class scores higher than one of another, a tie counting
// half.
#include <limits>

#include "class_rankings.hpp"
#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

/// Area of one class's part of the ranking; NaN without rows on both sides. Counts below 2^53 are summed exactly.
double area(std::span<const ScoredRows> ranking) {
    ExactSum below;  // mass of the negatives with a lower score
    ExactSum positives;
    ExactSum twice_area;
    for (std::size_t i = 0; i < ranking.size();) {
        ExactSum negatives_here;
        ExactSum positives_here;
        const double score = ranking[i].score;
        for (; i < ranking.size() && ranking[i].score == score; ++i) {
            ExactSum& side = ranking[i].positive == 1 ? positives_here : negatives_here;
            side.add_product(ranking[i].weight, static_cast<double>(ranking[i].count));
        }
        const double mass = positives_here.value();
        twice_area.add_product(mass, 2 * below.value());
        twice_area.add_product(mass, negatives_here.value());
        below.merge(negatives_here);
        positives.merge(positives_here);
    }
    const double sides = positives.value() * below.value();
    return sides > 0 ? twice_area.value() / (2 * sides) : std::numeric_limits<double>::quiet_NaN();
}

double finish(const Summary& merged, std::uint32_t) { return mean_over_classes(merged, area); }

}  // namespace

Metric roc_auc() {
    return {.name = "roc_auc",
            .description = "area under the ROC curve; several classes: mean of one against the rest",
            .aliases = {"auc"},
            .task = Task::classification,
            .larger_is_better = true,
            .needs_probability = true,
            .accumulate = rank_by_class,
            .finish = finish};
}

}  // namespace regrove::metric
