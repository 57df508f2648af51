// Finding and matching labels, with the messages for those that do not match.
#include "regrove/infer/labels.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/infer/initial_scores.hpp"

namespace regrove::infer {

namespace {

constexpr std::size_t k_classes_in_a_message = 20;

using ClassOfText = std::unordered_map<std::string, std::int32_t>;

/// Classes by name; then, for those whose name is a number, by that number's shortest text ("+1", "1.0": "1").
ClassOfText class_texts(const std::vector<std::string>& classes) {
    ClassOfText class_of;
    for (std::size_t k = 0; k < classes.size(); ++k) class_of.emplace(classes[k], static_cast<std::int32_t>(k));
    for (std::size_t k = 0; k < classes.size(); ++k) {
        const auto number = parse_double(classes[k]);
        if (number.status == NumberStatus::ok) class_of.emplace(to_text(number.value), static_cast<std::int32_t>(k));
    }
    return class_of;
}

std::string listed(const std::vector<std::string>& classes) {
    std::string text;
    const std::size_t shown = std::min(classes.size(), k_classes_in_a_message);
    for (std::size_t k = 0; k < shown; ++k) text += (k == 0 ? "'" : ", '") + classes[k] + "'";
    if (shown < classes.size()) text += " and " + std::to_string(classes.size() - shown) + " more";
    return text;
}

[[noreturn]] void refuse_missing(const data::TableShard& shard, std::size_t column, std::size_t row) {
    throw InputError("row " + std::to_string(shard.first_row + row) + " (from zero) has no label in column '" +
                     shard.schema.columns[column].name + "'");
}

}  // namespace

std::size_t label_column(const model::Ensemble& ensemble, const data::Schema& schema) {
    if (const auto column = schema.find(data::ColumnRole::label)) return *column;
    if (const auto column = schema.find(ensemble.label_name)) return *column;
    throw InputError("the table has no label: no column has that role and none is named '" + ensemble.label_name +
                     "', the model's label; name it with --target");
}

std::vector<std::int32_t> true_classes(const model::Ensemble& ensemble, const data::TableShard& shard,
                                       std::size_t column) {
    const ClassOfText class_of = class_texts(ensemble.classes);
    const data::ColumnSchema& schema = shard.schema.columns[column];
    std::vector<std::int32_t> classes(shard.rows);
    for (std::size_t row = 0; row < shard.rows; ++row) {
        const std::string text = data::cell_text(schema, shard.values[column], row);
        if (text.empty()) refuse_missing(shard, column, row);
        const auto found = class_of.find(text);
        if (found == class_of.end())
            throw InputError("row " + std::to_string(shard.first_row + row) + " (from zero): label '" + text +
                             "' in column '" + schema.name +
                             "' is no class of the model; its classes: " + listed(ensemble.classes));
        classes[row] = found->second;
    }
    return classes;
}

std::vector<double> true_values(const data::TableShard& shard, std::size_t column) {
    const data::ColumnSchema& schema = shard.schema.columns[column];
    if (!data::is_numeric(schema.type))
        throw InputError("label column '" + schema.name + "' holds " + std::string(data::to_text(schema.type)) +
                         " values, but the model is a regression and needs numbers");
    std::vector<double> values(shard.rows);
    for (std::size_t row = 0; row < shard.rows; ++row) {
        values[row] = data::as_double(schema.type, shard.values[column], row);
        if (std::isnan(values[row])) refuse_missing(shard, column, row);
    }
    return values;
}

data::Schema expected_schema(const model::Ensemble& ensemble) {
    data::Schema schema;
    const auto expect_categories = [&](const std::string& name, data::ColumnRole role) {
        schema.columns.push_back({name, data::ColumnType::category, role, {}});
    };
    for (const model::Feature& feature : ensemble.features) {
        if (feature.kind == model::FeatureKind::category)
            expect_categories(feature.name, data::ColumnRole::feature);
        else
            schema.columns.push_back({feature.name, data::ColumnType::float64, data::ColumnRole::feature, {}});
    }
    const std::string initial = initial_score_column(ensemble);
    if (!initial.empty())
        schema.columns.push_back({initial, data::ColumnType::float64, data::ColumnRole::feature, {}});
    if (ensemble.task == model::Task::classification && !ensemble.label_name.empty())
        expect_categories(ensemble.label_name, data::ColumnRole::label);
    return schema;
}

}  // namespace regrove::infer
