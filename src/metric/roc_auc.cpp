// Area under the ROC curve: the chance that a row of the class scores higher than one of another, a tie counting
// half.
//
// Two classes: the score is the probability of the second. More classes: the mean over the classes, one against the
// rest, of those that have rows on both sides.
#include <algorithm>
#include <limits>
#include <tuple>

#include "mass_cells.hpp"
#include "metric_rows.hpp"

namespace regrove::metric {
namespace {

auto key(const ScoredRows& rows) { return std::tie(rows.column, rows.score, rows.positive, rows.weight); }

Summary accumulate(const Predictions& p) {
    std::vector<ScoredRows> all;
    const std::uint32_t first = p.classes == 2 ? 1 : 0;
    all.reserve(p.rows * (p.classes - first));
    for (std::uint32_t c = first; c < p.classes; ++c) {
        for (std::size_t r = 0; r < p.rows; ++r) {
            const bool positive = static_cast<std::uint32_t>(p.true_class[r]) == c;
            // -0 and 0 are one score.
            all.push_back({c, positive ? 1U : 0U, p.probability[r * p.classes + c] + 0.0, p.weight_of(r), 1});
        }
    }
    std::ranges::sort(all, [](const auto& a, const auto& b) { return key(a) < key(b); });
    Summary summary;
    for (const ScoredRows& rows : all) {
        if (!summary.ranking.empty() && key(summary.ranking.back()) == key(rows)) {
            ++summary.ranking.back().count;
        } else {
            summary.ranking.push_back(rows);
        }
    }
    return summary;
}

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

double finish(const Summary& merged, std::uint32_t) {
    const std::span<const ScoredRows> ranking(merged.ranking);
    double areas = 0;
    double defined = 0;
    for (std::size_t begin = 0; begin < ranking.size();) {
        std::size_t end = begin;
        while (end < ranking.size() && ranking[end].column == ranking[begin].column) ++end;
        const double one = area(ranking.subspan(begin, end - begin));
        begin = end;
        if (one != one) continue;
        areas += one;
        defined += 1;
    }
    return areas / defined;
}

}  // namespace

Metric roc_auc() {
    return {.name = "roc_auc",
            .description = "area under the ROC curve; several classes: mean of one against the rest",
            .aliases = {"auc"},
            .task = Task::classification,
            .larger_is_better = true,
            .needs_probability = true,
            .accumulate = accumulate,
            .finish = finish};
}

}  // namespace regrove::metric
