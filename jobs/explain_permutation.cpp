// Kind `permutation`: how much worse a metric gets when a feature's values are dealt out anew.
#include <cmath>

#include "regrove/core/number_text.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/permutation_importance.hpp"
#include "regrove/draw/figure_text.hpp"

#include "explain_kinds.hpp"
#include "explain_questions.hpp"

namespace regrove::jobs {

namespace {

using dist::PermutationImportance;
using dist::PermutationResult;
using pipeline::ExplainedSubject;
using pipeline::Explanation;

std::vector<ExplainedSubject> permuted_subjects(const PermutationResult& result, const QuestionFigures& questions) {
    std::vector<double> means;
    for (const PermutationImportance& feature : result.features) means.push_back(feature.mean);
    auto subjects = pipeline::feature_subjects(means);
    for (ExplainedSubject& subject : subjects) {
        const PermutationImportance& feature = result.features[subject.feature];
        subject.used = feature.used;
        subject.figures = draw::value_text(feature.mean);
        if (!std::isnan(feature.standard_error)) {
            subject.error = feature.standard_error;
            subject.figures += " ± " + draw::error_text(feature.standard_error);
        }
        subject.figures += " (" + pipeline::counted(questions.of(subject).splits, "split") + ")";
        for (const double loss : feature.losses) subject.details += "\nloss " + to_text(loss);
        subject.details += QuestionFigures::details(questions.of(subject));
    }
    pipeline::sort_by_value(subjects);
    return subjects;
}

void add_columns(Explanation& explanation, const PermutationResult& result, const QuestionFigures& questions) {
    std::vector<double> errors;
    std::vector<double> deviations;
    for (const ExplainedSubject& subject : explanation.subjects) {
        errors.push_back(result.features[subject.feature].standard_error);
        deviations.push_back(result.features[subject.feature].standard_deviation);
    }
    explanation.columns = {{"standard_error", std::move(errors)},
                           {"standard_deviation", std::move(deviations)},
                           questions.splits(explanation.subjects),
                           questions.covers(explanation.subjects)};
}

void word(Explanation& explanation, const ExplainRequest& request, const std::string& metric, double baseline) {
    const std::uint64_t rows = request.rows.global_rows;
    const std::uint32_t repeats = request.options.permutation.repeats;
    explanation.kind = "permutation";
    explanation.title = "Permutation importance";
    explanation.subtitle = pipeline::counted(rows, "row") + " · " + metric + " " + draw::value_text(baseline) +
                           " · " + pipeline::counted(repeats, "repeat");
    explanation.value_title = "how much worse " + metric + " gets when a feature is permuted";
    if (repeats > 1)
        explanation.notes.emplace_back(
            "Bars are means over the repeats; lines reach one standard error to either side.");
    explanation.facts = {{"metric", metric, "", ""},
                         {"baseline", baseline, metric, draw::value_text(baseline)},
                         {"rows", rows, "rows", draw::count_text(rows)}};
}

void run(const ExplainRequest& request, ExplainOutputs& outputs) {
    const PermutationOptions& options = request.options.permutation;
    std::vector<std::string> names;
    if (!options.metric.empty()) names.push_back(options.metric);
    const metric::Metric metric = dist::chosen_metrics(names, request.model.task).front();
    PermutationResult result;
    {
        const auto phase = request.context.summary.phase("permute");
        result = dist::permutation_importance(request.context.comm, request.model, request.rows, metric,
                                              options.repeats, request.context.seed);
    }
    const QuestionFigures questions(request.model);
    Explanation explanation;
    word(explanation, request, metric.name, result.baseline);
    explanation.subjects = permuted_subjects(result, questions);
    add_columns(explanation, result, questions);
    outputs.write(explanation, request.model);
}

}  // namespace

ExplainKind explain_permutation() {
    return {"permutation", "how much worse a metric gets on --data when the feature's values are permuted",
            RowsNeeded::labels, false, run};
}

}  // namespace regrove::jobs
