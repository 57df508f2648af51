// Convert, count, give credit, sort.
#include "explain_attribution.hpp"

#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/dist/monomial_polynomial.hpp"
#include "regrove/draw/figure_text.hpp"
#include "regrove/pipeline/load_model.hpp"

namespace regrove::jobs {

namespace {

using algebra::Polynomial;
using pipeline::ExplainedSubject;
using pipeline::Explanation;

std::vector<ExplainedSubject> features_of(const Polynomial& polynomial) {
    auto subjects = pipeline::feature_subjects(std::vector<double>(polynomial.frame.features.size(), 0));
    for (ExplainedSubject& subject : subjects) subject.used = false;
    for (const algebra::Condition& condition : polynomial.conditions.all())
        subjects[index(condition.feature)].used = true;
    return subjects;
}

std::vector<ExplainedSubject> conditions_of(const Polynomial& polynomial) {
    std::vector<ExplainedSubject> subjects;
    for (const algebra::Condition& condition : polynomial.conditions.all()) {
        ExplainedSubject subject;
        subject.feature = index(condition.feature);
        subject.condition = algebra::condition_text(condition, polynomial.frame.features);
        subjects.push_back(std::move(subject));
    }
    return subjects;
}

std::vector<double> slice(const std::vector<double>& values, std::size_t subject, std::size_t width) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(subject * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
}

/// A number, or an object of numbers by score.
nlohmann::ordered_json by_score(const std::vector<std::string>& scores, const std::vector<double>& values) {
    if (scores.empty()) return values.front();
    auto object = nlohmann::ordered_json::object();
    for (std::size_t k = 0; k < scores.size(); ++k) object[scores[k]] = values[k];
    return object;
}

std::string shown(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + draw::value_text(value);
    return text;
}

void add_facts(Explanation& explanation, const CountedPolynomial& counted) {
    const auto expected = algebra::expected_scores(counted.polynomial, counted.counts, counted.rows);
    const auto baseline = algebra::baseline_scores(counted.polynomial);
    explanation.facts = {
        {"per", explanation.per_condition ? "condition" : "feature", "", ""},
        {"rows", counted.rows, "rows", draw::count_text(counted.rows)},
        {"monomials", counted.polynomial.size(), "monomials", draw::count_text(counted.polynomial.size())},
        {"baseline", "numbers below all thresholds, categories unknown, nothing missing", "", ""},
        {"baseline_score", by_score(explanation.scores, baseline), "score of the baseline", shown(baseline)},
        {"expected_score", by_score(explanation.scores, expected), "mean score of the rows", shown(expected)}};
}

void add_subjects(Explanation& explanation, const CountedPolynomial& counted, algebra::Credit credit,
                  algebra::Subject subject) {
    const Polynomial& polynomial = counted.polynomial;
    const std::size_t width = polynomial.scores;
    const auto values = algebra::attributions(polynomial, counted.counts, counted.rows, {credit, subject, false});
    const auto sizes = algebra::attributions(polynomial, counted.counts, counted.rows, {credit, subject, true});
    explanation.subjects = subject == algebra::Subject::feature ? features_of(polynomial) : conditions_of(polynomial);
    for (std::size_t s = 0; s < explanation.subjects.size(); ++s) {
        explanation.subjects[s].values = slice(values, s, width);
        explanation.subjects[s].absolute = slice(sizes, s, width);
    }
    pipeline::sort_by_size(explanation.subjects);
    std::vector<double> column;
    for (ExplainedSubject& own : explanation.subjects) {
        column.insert(column.end(), own.absolute.begin(), own.absolute.end());
        if (width == 1) own.details = "\nwithout signs " + to_text(own.absolute.front());
    }
    explanation.columns = {{"absolute", std::move(column)}};
}

}  // namespace

CountedPolynomial count_polynomial(const ExplainRequest& request) {
    CountedPolynomial counted;
    pipeline::JobContext& context = request.context;
    counted.rows = request.rows.global_rows;
    if (counted.rows == 0)
        throw InputError("'" + request.options.data + "' has no rows: there is nothing to take a mean over");
    pipeline::require_no_initial_scores(request.model,
                                        std::string("--kind ") + explain_kinds()[request.options.kind].name);
    {
        const auto phase = context.summary.phase("convert");
        counted.polynomial =
            dist::ensemble_polynomial(context.comm, request.model, request.options.attribution.polynomial);
    }
    const auto phase = context.summary.phase("count");
    counted.counts = dist::monomial_counts(context.comm, counted.polynomial, request.rows);
    return counted;
}

Explanation attribution_explanation(const ExplainRequest& request, const CountedPolynomial& counted,
                                    algebra::Credit credit) {
    Explanation explanation;
    explanation.scores = pipeline::score_names(request.model);
    explanation.per_condition = request.options.attribution.per == ExplainPer::condition;
    add_subjects(explanation, counted, credit,
                 explanation.per_condition ? algebra::Subject::condition : algebra::Subject::feature);
    add_facts(explanation, counted);
    explanation.subtitle =
        pipeline::counted(counted.rows, "row") + " · " + pipeline::counted(counted.polynomial.size(), "monomial");
    return explanation;
}

}  // namespace regrove::jobs
