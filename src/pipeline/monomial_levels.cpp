// Scores at all levels in one walk; a metric of each.
#include "regrove/pipeline/monomial_levels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regrove/algebra/monomial_trees.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/labels.hpp"
#include "regrove/model/link.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::pipeline {

namespace {

/// What the scores of some rows say, as prediction says it.
void answer(dist::Answers& answers, const model::Ensemble& frame, const std::vector<double>& scores) {
    const std::size_t width = frame.scores();
    if (frame.task == model::Task::regression) {
        answers.predicted_value = scores;
        for (double& value : answers.predicted_value) value = model::linked_value(frame.link, value);
        return;
    }
    answers.probability = model::linked_probabilities(frame.link, scores, frame.outputs());
    answers.predicted_class.resize(answers.rows);
    for (std::size_t row = 0; row < answers.rows; ++row) {
        const auto own = scores.begin() + static_cast<std::ptrdiff_t>(row * width);
        answers.predicted_class[row] =
            width == 1
                ? (*own > 0 ? 1 : 0)
                : static_cast<std::int32_t>(std::max_element(own, own + static_cast<std::ptrdiff_t>(width)) - own);
    }
}

dist::Answers true_answers(const model::Ensemble& model, const data::TableShard& rows) {
    const std::size_t label = infer::label_column(model, rows.schema);
    dist::Answers answers;
    answers.rows = rows.rows;
    answers.weight = dist::weights_of(rows);
    if (model.task == model::Task::regression) {
        answers.true_value = infer::true_values(rows, label);
    } else {
        answers.classes = model.outputs();
        answers.true_class = infer::true_classes(model, rows, label);
    }
    return answers;
}

}  // namespace

ValuedPolynomial value_polynomial(comm::Communicator& comm, algebra::Polynomial polynomial,
                                  const data::TableShard& training) {
    agree_plainly(comm, [&] { static_cast<void>(algebra::summing_frame(polynomial)); });
    ValuedPolynomial valued;
    valued.counts = dist::monomial_counts(comm, polynomial, training);
    valued.rows = comm.sum(training.rows);
    valued.values = algebra::monomial_values(polynomial, valued.counts, valued.rows);
    valued.polynomial = std::move(polynomial);
    return valued;
}

metric::Metric pruning_metric(const std::string& name, const model::Ensemble& model) {
    if (!name.empty()) return dist::chosen_metrics({name}, model.task)[0];
    if (model.task == model::Task::classification && model.outputs() == 2)
        return metric::find_metric("roc_auc", metric::Task::classification);
    return dist::chosen_metrics({}, model.task)[0];
}

double threshold_to_hand_on(std::span<const double> values, const algebra::PruningLevel& level) {
    double dropped = 0;
    for (const double value : values) {
        if (value < level.alpha) dropped = std::max(dropped, value);
    }
    if (dropped == 0) return 0;
    if (std::isinf(level.alpha)) return level.alpha;
    return std::clamp(std::sqrt(dropped) * std::sqrt(level.alpha), std::nextafter(dropped, level.alpha), level.alpha);
}

std::uint64_t monomials_of(const algebra::Polynomial& polynomial) {
    return polynomial.size() - (polynomial.size() > 0 && polynomial.is_constant(0) ? 1 : 0);
}

algebra::PruningLevel whole_level(const algebra::Polynomial& polynomial) {
    algebra::PruningLevel level;
    level.kept = polynomial.size();
    return level;
}

std::vector<double> metrics_at_levels(comm::Communicator& comm, const model::Ensemble& model,
                                      const ValuedPolynomial& valued, std::span<const algebra::PruningLevel> levels,
                                      const data::TableShard& rows, const metric::Metric& metric) {
    dist::Answers answers;
    std::vector<std::vector<double>> scores;
    agree_plainly(comm, [&] {
        answers = true_answers(model, rows);
        const model::Ensemble asking = algebra::asking_ensemble(valued.polynomial);
        const infer::Binding binding(asking, rows.schema);
        scores = algebra::scores_at_levels(valued.polynomial, valued.values, levels, binding, rows);
    });
    std::vector<double> metrics;
    for (const std::vector<double>& own : scores) {
        answer(answers, model, own);
        metrics.push_back(dist::metric_number(comm, metric, answers.view()));
    }
    return metrics;
}

double metric_of_polynomial(comm::Communicator& comm, const model::Ensemble& model,
                            const algebra::Polynomial& polynomial, const data::TableShard& rows,
                            const metric::Metric& metric) {
    dist::Answers answers;
    agree_plainly(comm, [&] {
        answers = true_answers(model, rows);
        answer(answers, model, algebra::scores_of(polynomial, rows));
    });
    return dist::metric_number(comm, metric, answers.view());
}

std::size_t last_good_level(std::span<const double> metrics, double before, double tolerance,
                            const metric::Metric& metric, bool both_sides) {
    std::size_t good = 0;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
        const double loss = metric.larger_is_better ? before - metrics[i] : metrics[i] - before;
        if (!(loss <= tolerance) || (both_sides && loss < -tolerance)) break;
        good = i;
    }
    return good;
}

}  // namespace regrove::pipeline
