// Labels, weights and scores of some rows brought together, then one call of the objective.
#include "regrove/train/boosting_derivatives.hpp"

#include <vector>

namespace regrove::train {

namespace {

/// A thread's rows as the objective wants them.
struct GatheredRows {
    std::vector<double> labels;
    std::vector<double> weights;
    std::vector<double> scores;

    objective::LabelledRows view() const { return {labels, weights, {}}; }
};

GatheredRows& gathered_rows(std::size_t rows, bool weighted) {
    thread_local GatheredRows gathered;
    gathered.labels.resize(rows);
    gathered.weights.resize(weighted ? rows : 0);
    gathered.scores.resize(rows);
    return gathered;
}

}  // namespace

void ComputedDerivatives::of_block(std::size_t begin, std::span<double> gradient, std::span<double> hessian) const {
    const std::size_t count = gradient.size();
    GatheredRows& some = gathered_rows(count, !rows_.weights.empty());
    rows_.labels.read(begin, some.labels);
    if (!rows_.weights.empty()) rows_.weights.read(begin, some.weights);
    objective_.derivatives(some.view(), rows_.scores.subspan(begin, count), {gradient, hessian}, 0, count);
}

void ComputedDerivatives::of_entries(std::span<const RowEntry> entries, std::span<double> gradient,
                                     std::span<double> hessian) const {
    GatheredRows& some = gathered_rows(entries.size(), !rows_.weights.empty());
    const auto place = [&](std::size_t i) { return row_of(entries[i]); };
    rows_.labels.gather(some.labels, place);
    if (!rows_.weights.empty()) rows_.weights.gather(some.weights, place);
    for (std::size_t i = 0; i < entries.size(); ++i) some.scores[i] = rows_.scores[row_of(entries[i])];
    objective_.derivatives(some.view(), some.scores, {gradient, hessian}, 0, entries.size());
}

}  // namespace regrove::train
