// Every rank decides for itself; the root's account is the one that is printed.
#include "verify_score.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/pipeline/failure.hpp"

namespace regrove::jobs {

namespace {

/// Monomials of the difference that are told; all are counted.
constexpr std::size_t k_told_monomials = 20;

std::string cell_text(const model::Feature& feature, double cell) {
    if (std::isnan(cell)) return "missing";
    if (feature.kind == model::FeatureKind::numeric)
        return feature.precision == model::NumericPrecision::float32 ? to_text(static_cast<float>(cell))
                                                                     : to_text(cell);
    return cell < 0 ? "a category in no dictionary" : feature.categories[static_cast<std::size_t>(cell)];
}

std::string listed(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) text += (text.empty() ? "" : ", ") + to_text(number);
    return text;
}

/// Features that the difference asks for; the others may have any value.
std::vector<bool> asked_features(const algebra::Polynomial& polynomial) {
    std::vector<bool> asked(polynomial.frame.features.size(), false);
    for (const algebra::Condition& condition : polynomial.conditions.all()) asked[index(condition.feature)] = true;
    return asked;
}

void report_point(pipeline::Summary& summary, const algebra::ScoreDifference& found,
                  const ScoreVerification& request) {
    auto point = nlohmann::ordered_json::object();
    const auto& features = found.difference.frame.features;
    const std::vector<bool> asked = asked_features(found.difference);
    std::string text;
    for (std::size_t f = 0; f < features.size(); ++f) {
        const std::string cell = cell_text(features[f], found.point->cells[f]);
        point[features[f].name] = cell;
        if (asked[f]) text += (text.empty() ? "" : ", ") + features[f].name + " = " + cell;
    }
    summary.result["point"] = std::move(point);
    summary.result["first_scores"] = found.point->first_scores;
    summary.result["second_scores"] = found.point->second_scores;
    summary.show("they differ at", text.empty() ? "every point" : text);
    summary.show("score of " + request.first_file, listed(found.point->first_scores));
    summary.show("score of " + request.second_file, listed(found.point->second_scores));
}

void report_monomials(pipeline::Summary& summary, const algebra::Polynomial& difference) {
    auto told = nlohmann::ordered_json::array();
    for (std::size_t m = 0; m < std::min(difference.size(), k_told_monomials); ++m) {
        std::vector<double> coefficient;
        for (const Int128 number : difference.coefficient(m))
            coefficient.push_back(algebra::to_double(number, difference.unit_exponent));
        told.push_back({{"monomial", algebra::monomial_text(difference, m)}, {"coefficient", coefficient}});
    }
    summary.details["difference"] = std::move(told);
}

}  // namespace

pipeline::ModelPair pair_for_scores(model::Ensemble first, model::Ensemble second, const std::string& first_file,
                                    const std::string& second_file) {
    const bool regressions = first.task == model::Task::regression && second.task == model::Task::regression;
    if (!regressions) return pipeline::pair_models(std::move(first), std::move(second), first_file, second_file);
    // Features are matched as those of models with one class.
    for (model::Ensemble* model : {&first, &second}) {
        model->task = model::Task::classification;
        model->classes = {"value"};
    }
    pipeline::ModelPair pair = pipeline::pair_models(std::move(first), std::move(second), first_file, second_file);
    for (model::Ensemble* model : {&pair.first, &pair.second}) {
        model->task = model::Task::regression;
        model->classes.clear();
    }
    pair.first_class_of_second.clear();
    return pair;
}

void verify_score_equality(pipeline::JobContext& context, const pipeline::ModelPair& pair,
                           const ScoreVerification& request) {
    algebra::ScoreDifference found;
    {
        const auto phase = context.summary.phase("prove");
        pipeline::agree_plainly(context.comm, [&] {
            found = algebra::score_difference(
                {pair.first, pair.second, pair.first_class_of_second, request.with_unseen}, request.polynomial);
        });
    }
    pipeline::Summary& summary = context.summary;
    summary.result["equal"] = found.equal();
    summary.result["decided"] = true;
    summary.result["monomials_of_difference"] = found.difference.size();
    summary.show("equal in score", found.equal() ? "yes, everywhere" : "no");
    if (found.equal()) return;
    summary.show("monomials of the difference", std::to_string(found.difference.size()));
    report_point(summary, found, request);
    report_monomials(summary, found.difference);
    summary.end_with(ExitCode::answer_is_no, request.first_file + " and " + request.second_file + " differ");
}

}  // namespace regrove::jobs
