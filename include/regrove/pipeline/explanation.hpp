// What an explanation says, whatever kind it is of: a figure for each feature, as a table, as bars, as a few lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "regrove/data/table.hpp"
#include "regrove/draw/bar_chart.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

/// What the figures are about: a feature, or one condition on it.
struct ExplainedSubject {
    std::size_t feature = 0;       ///< its place in the model
    std::string condition;         ///< in words; empty: the feature as a whole
    std::vector<double> values;    ///< one a score
    std::vector<double> absolute;  ///< the same summed without signs, for kinds whose parts may cancel; else empty
    bool used = true;              ///< whether any question asks for it; unused ones have no bar
    std::optional<double> error;   ///< half the length of the error bar
    std::string figures;           ///< what people read: "0.1423 ± 0.0123 (7 splits)"; empty: the values
    std::string details;           ///< further lines when the pointer rests on the bar
};

/// A further column of the table: one cell a subject and score, the scores of a subject together.
struct FigureColumn {
    std::string name;
    std::variant<std::vector<double>, std::vector<std::int64_t>> cells;
};

/// A fact about the whole: in the summary's result by name, and printed.
struct ExplanationFact {
    std::string name;
    nlohmann::ordered_json value;
    std::string shown_name;  ///< empty: not printed
    std::string shown;
};

struct Explanation {
    std::string kind;
    bool per_condition = false;              ///< subjects are conditions
    std::vector<ExplainedSubject> subjects;  ///< in the order of table and bars
    std::vector<std::string> scores;         ///< their names when there are several; empty: one
    std::vector<FigureColumn> columns;
    std::vector<ExplanationFact> facts;
    // Words of the picture.
    std::string title;        ///< "Importance by gain"; the label's name is put behind it
    std::string subtitle;     ///< put behind the number of trees; may be empty
    std::string value_title;  ///< of the value axis
    std::vector<std::string> notes;

    std::size_t width() const { return scores.empty() ? 1 : scores.size(); }
};

/// Names of a model's raw scores (its classes) when there are several; else none.
std::vector<std::string> score_names(const model::Ensemble& model);

/// "7 splits".
std::string counted(std::uint64_t count, const std::string& word);

/// A subject for each feature, in the model's order, with one value.
std::vector<ExplainedSubject> feature_subjects(const std::vector<double>& values);

/// Largest value first, equal ones in the order that they stand in.
void sort_by_value(std::vector<ExplainedSubject>& subjects);
/// Largest sum of absolute values over the scores first, equal ones in the order that they stand in.
void sort_by_size(std::vector<ExplainedSubject>& subjects);

/// One row a subject and score: feature, [condition], [score], importance, the further columns.
data::TableShard explanation_table(const Explanation& explanation, const model::Ensemble& model);

/// Bars of subjects that some question asks for, at most `top` of them; notes say what is left out.
draw::BarChart explanation_chart(const Explanation& explanation, const model::Ensemble& model, std::size_t top);

/// "12 trees · 297 rows": below the picture's title.
std::string picture_subtitle(const Explanation& explanation, const model::Ensemble& model);

/// What a person calls a subject: its condition, else its feature's name.
const std::string& subject_name(const ExplainedSubject& subject, const model::Ensemble& model);
/// Its figures for people.
std::string subject_figures(const ExplainedSubject& subject);

}  // namespace regrove::pipeline
