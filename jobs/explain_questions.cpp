// One pass over the model, read by several kinds.
#include "explain_questions.hpp"

#include <cstdint>

#include "regrove/core/number_text.hpp"
#include "regrove/draw/figure_text.hpp"

namespace regrove::jobs {

namespace {

template <class Cell, class Get>
pipeline::FigureColumn column(std::string name, const std::vector<pipeline::ExplainedSubject>& subjects, Get get) {
    std::vector<Cell> cells;
    cells.reserve(subjects.size());
    for (const pipeline::ExplainedSubject& subject : subjects) cells.push_back(static_cast<Cell>(get(subject)));
    return {std::move(name), std::move(cells)};
}

}  // namespace

std::vector<pipeline::ExplainedSubject> QuestionFigures::subjects(
    const std::function<double(const infer::GainImportance&)>& value) const {
    std::vector<double> values;
    for (const infer::GainImportance& feature : features_) values.push_back(value(feature));
    auto subjects = pipeline::feature_subjects(values);
    for (pipeline::ExplainedSubject& subject : subjects) {
        const infer::GainImportance& feature = of(subject);
        subject.used = feature.splits > 0;
        subject.figures =
            draw::value_text(subject.values.front()) + " (" + pipeline::counted(feature.splits, "split") + ")";
        subject.details = details(feature);
    }
    pipeline::sort_by_value(subjects);
    return subjects;
}

pipeline::FigureColumn QuestionFigures::gains(const std::vector<pipeline::ExplainedSubject>& subjects) const {
    return column<double>("total_gain", subjects, [&](const auto& subject) { return of(subject).total_gain; });
}

pipeline::FigureColumn QuestionFigures::splits(const std::vector<pipeline::ExplainedSubject>& subjects) const {
    return column<std::int64_t>("splits", subjects, [&](const auto& subject) { return of(subject).splits; });
}

pipeline::FigureColumn QuestionFigures::covers(const std::vector<pipeline::ExplainedSubject>& subjects) const {
    return column<double>("cover", subjects, [&](const auto& subject) { return of(subject).cover; });
}

std::string QuestionFigures::details(const infer::GainImportance& feature) {
    return "\n" + pipeline::counted(feature.splits, "split") + ", cover " + to_text(feature.cover);
}

}  // namespace regrove::jobs
