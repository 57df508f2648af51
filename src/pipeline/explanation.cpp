// Sorting, wording, and columns.
#include "regrove/pipeline/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/draw/figure_text.hpp"

namespace regrove::pipeline {

namespace {

double size_of(const ExplainedSubject& subject) {
    double size = 0;
    for (const double value : subject.values) size += std::abs(value);
    return size;
}

/// A table with a row for each subject and score, filled column by column.
class SubjectTable {
  public:
    explicit SubjectTable(const Explanation& explanation) : explanation_(explanation) {
        shard_.rows = shard_.global_rows = explanation.subjects.size() * explanation.width();
    }
    /// A column of what `cell` says of each subject and score.
    template <class Cell>
    void add(std::string name, data::ColumnType type, Cell cell) {
        std::vector<decltype(cell(explanation_.subjects.front(), std::size_t{0}))> values;
        values.reserve(shard_.rows);
        for (const ExplainedSubject& subject : explanation_.subjects) {
            for (std::size_t score = 0; score < explanation_.width(); ++score) values.push_back(cell(subject, score));
        }
        push(std::move(name), type, std::move(values));
    }
    void push(std::string name, data::ColumnType type, data::ColumnValues values) {
        REGROVE_CHECK(data::row_count(values) == shard_.rows);
        const auto role = type == data::ColumnType::text ? data::ColumnRole::id : data::ColumnRole::feature;
        shard_.schema.columns.push_back({std::move(name), type, role, {}});
        shard_.values.push_back(std::move(values));
    }
    data::TableShard take() && { return std::move(shard_); }

  private:
    const Explanation& explanation_;
    data::TableShard shard_;
};

draw::Bar bar_of(const Explanation& explanation, const ExplainedSubject& subject, std::size_t score,
                 const model::Ensemble& model) {
    draw::Bar bar;
    bar.label = subject_name(subject, model);
    if (!explanation.scores.empty()) bar.label += " · " + explanation.scores[score];
    bar.value = subject.values[score];
    bar.error = subject.error;
    bar.details = bar.label + "\nimportance " + to_text(bar.value) + subject.details;
    return bar;
}

}  // namespace

std::vector<std::string> score_names(const model::Ensemble& model) {
    const std::uint32_t scores = model.scores();
    if (scores < 2) return {};
    if (model.classes.size() == scores) return model.classes;
    std::vector<std::string> names;
    for (std::uint32_t score = 0; score < scores; ++score) names.push_back(std::to_string(score));
    return names;
}

std::string counted(std::uint64_t count, const std::string& word) {
    return draw::count_text(count, word, word + "s");
}

std::vector<ExplainedSubject> feature_subjects(const std::vector<double>& values) {
    std::vector<ExplainedSubject> subjects(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) {
        subjects[f].feature = f;
        subjects[f].values = {values[f]};
    }
    return subjects;
}

void sort_by_value(std::vector<ExplainedSubject>& subjects) {
    std::ranges::stable_sort(subjects,
                             [](const auto& a, const auto& b) { return a.values.front() > b.values.front(); });
}

void sort_by_size(std::vector<ExplainedSubject>& subjects) {
    std::ranges::stable_sort(subjects, [](const auto& a, const auto& b) { return size_of(a) > size_of(b); });
}

data::TableShard explanation_table(const Explanation& explanation, const model::Ensemble& model) {
    SubjectTable table(explanation);
    table.add("feature", data::ColumnType::text,
              [&](const ExplainedSubject& subject, std::size_t) { return model.features[subject.feature].name; });
    if (explanation.per_condition)
        table.add("condition", data::ColumnType::text,
                  [](const ExplainedSubject& subject, std::size_t) { return subject.condition; });
    if (!explanation.scores.empty())
        table.add("score", data::ColumnType::text,
                  [&](const ExplainedSubject&, std::size_t score) { return explanation.scores[score]; });
    table.add("importance", data::ColumnType::float64,
              [](const ExplainedSubject& subject, std::size_t score) { return subject.values[score]; });
    for (const FigureColumn& column : explanation.columns) {
        const bool whole = std::holds_alternative<std::vector<std::int64_t>>(column.cells);
        std::visit(
            [&](const auto& cells) {
                table.push(column.name, whole ? data::ColumnType::int64 : data::ColumnType::float64, cells);
            },
            column.cells);
    }
    return std::move(table).take();
}

draw::BarChart explanation_chart(const Explanation& explanation, const model::Ensemble& model, std::size_t top) {
    draw::BarChart chart;
    chart.title = explanation.title + " for " + model.label_name;
    chart.subtitle = picture_subtitle(explanation, model);
    chart.value_title = explanation.value_title;
    chart.notes = explanation.notes;
    std::size_t unused = 0;
    std::size_t left_out = 0;
    for (const ExplainedSubject& subject : explanation.subjects) {
        if (!subject.used) {
            ++unused;
            continue;
        }
        for (std::size_t score = 0; score < explanation.width(); ++score) {
            if (chart.bars.size() < top)
                chart.bars.push_back(bar_of(explanation, subject, score, model));
            else
                ++left_out;
        }
    }
    if (left_out > 0)
        chart.notes.push_back("Not shown: " +
                              counted(left_out, explanation.per_condition || !explanation.scores.empty()
                                                    ? "less important bar"
                                                    : "less important feature") +
                              ".");
    if (unused > 0)
        chart.notes.push_back("No question asks for " + counted(unused, "feature") + ": importance exactly 0.");
    return chart;
}

std::string picture_subtitle(const Explanation& explanation, const model::Ensemble& model) {
    const std::string trees = model.trees.size() == 1 ? "one tree" : counted(model.trees.size(), "tree");
    return explanation.subtitle.empty() ? trees : trees + " · " + explanation.subtitle;
}

const std::string& subject_name(const ExplainedSubject& subject, const model::Ensemble& model) {
    return subject.condition.empty() ? model.features[subject.feature].name : subject.condition;
}

std::string subject_figures(const ExplainedSubject& subject) {
    if (!subject.figures.empty()) return subject.figures;
    std::string text;
    for (const double value : subject.values) text += (text.empty() ? "" : ", ") + draw::value_text(value);
    return text;
}

}  // namespace regrove::pipeline
