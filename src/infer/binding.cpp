// Matching features to columns, and what is said when they do not match.
#include "regrove/infer/binding.hpp"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::infer {

namespace {

using data::ColumnSchema;
using data::ColumnType;
using model::Feature;
using model::FeatureKind;

constexpr std::size_t k_names_in_a_message = 10;

std::string joined(const std::vector<std::string>& items) {
    std::string text;
    const std::size_t shown = std::min(items.size(), k_names_in_a_message);
    for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + items[i];
    if (items.size() > shown) text += " and " + std::to_string(items.size() - shown) + " more";
    return text;
}

std::string quoted(const std::string& name) { return "'" + name + "'"; }

/// What about the columns does not fit, in the order in which it is found.
struct Mismatch {
    std::vector<std::string> missing;  ///< features without a column
    std::vector<std::string> unfit;    ///< columns that cannot answer for their feature
};

std::vector<std::string> unknown_columns(const model::Ensemble& ensemble, const data::Schema& schema) {
    std::unordered_set<std::string_view> known{ensemble.label_name};
    for (const Feature& feature : ensemble.features) known.insert(feature.name);
    std::vector<std::string> names;
    for (const std::size_t c : schema.features())
        if (!known.contains(schema.columns[c].name)) names.push_back(quoted(schema.columns[c].name));
    return names;
}

[[noreturn]] void refuse(const Mismatch& mismatch, const model::Ensemble& ensemble, const data::Schema& schema) {
    std::string message = "the table's columns do not fit the model: ";
    if (!mismatch.missing.empty())
        message += std::to_string(mismatch.missing.size()) + " of its " + std::to_string(ensemble.features.size()) +
                   " features are missing: " + joined(mismatch.missing) + "; ";
    if (!mismatch.unfit.empty()) message += joined(mismatch.unfit) + "; ";
    const auto unknown = unknown_columns(ensemble, schema);
    if (!unknown.empty()) message += "columns that the model does not know: " + joined(unknown) + "; ";
    throw InputError(message +
                     "columns are matched by name: rename them, or take the table that the model was made for");
}

void mark_used(const model::Tree& tree, std::vector<BoundFeature>& features) {
    for (const model::Node& node : tree.nodes) {
        if (node.is_leaf()) continue;
        features[index(node.question.feature)].used = true;
        for (const auto& surrogate : node.question.surrogates) features[index(surrogate.feature)].used = true;
    }
}

/// The number that a category's text is in a column of `type`, widened; nullopt when it is none.
std::optional<double> number_of(const std::string& text, ColumnType type) {
    if (type == ColumnType::float32) {
        const auto parsed = parse_float(text);
        return parsed.status == NumberStatus::ok ? std::optional(static_cast<double>(parsed.value)) : std::nullopt;
    }
    const auto parsed = parse_double(text);
    return parsed.status == NumberStatus::ok ? std::optional(parsed.value) : std::nullopt;
}

/// Categories that are the shortest text of their number come first: of "1" and "01", the number 1 is "1".
std::unordered_map<double, double> number_cells(const Feature& feature, ColumnType type) {
    std::unordered_map<double, double> cells;
    for (const bool canonical : {true, false})
        for (std::size_t code = 0; code < feature.categories.size(); ++code) {
            const std::string& text = feature.categories[code];
            const auto number = number_of(text, type);
            if (!number) continue;
            const bool is_shortest =
                (type == ColumnType::float32 ? to_text(static_cast<float>(*number)) : to_text(*number)) == text;
            if (is_shortest == canonical) cells.emplace(*number, static_cast<double>(code));
        }
    return cells;
}

std::unordered_map<std::string, double> text_cells(const Feature& feature) {
    std::unordered_map<std::string, double> cells;
    for (std::size_t code = 0; code < feature.categories.size(); ++code)
        cells.emplace(feature.categories[code], static_cast<double>(code));
    return cells;
}

/// A sentence about the categories that the model has never seen; empty when there are none.
std::string translate(const ColumnSchema& column, const Feature& feature, BoundFeature& bound) {
    const auto known = text_cells(feature);
    std::vector<std::string> unknown;
    for (const std::string& category : column.categories) {
        const auto found = known.find(category);
        bound.cell_of_code.push_back(found == known.end() ? k_unknown_category : found->second);
        if (found == known.end()) unknown.push_back(quoted(category));
    }
    if (unknown.empty() || !bound.used) return {};
    return "column '" + column.name + "': the model does not know " + std::to_string(unknown.size()) + " of its " +
           std::to_string(column.categories.size()) + " categories (" + joined(unknown) +
           "); rows with them take the heavier side";
}

/// Why the column cannot answer for a numeric feature; empty when it can. A category column without any category has
/// missing values only, whose type a reader cannot know.
std::string numeric_objection(const ColumnSchema& column) {
    if (data::is_numeric(column.type)) return {};
    if (column.type == ColumnType::text) return "column '" + column.name + "' is text, but the model needs numbers";
    if (column.categories.empty()) return {};
    return "column '" + column.name + "' holds categories (such as '" + column.categories.front() +
           "'), but the model needs numbers";
}

/// Prepares how the column's cells are read; returns why they cannot be, or nothing.
std::string bind_column(const ColumnSchema& column, const Feature& feature, BoundFeature& bound,
                        std::vector<std::string>& warnings) {
    bound.kind = feature.kind;
    bound.precision = feature.precision;
    if (feature.kind == FeatureKind::numeric) return numeric_objection(column);
    if (data::is_numeric(column.type)) bound.cell_of_number = number_cells(feature, column.type);
    if (column.type == ColumnType::text) bound.cell_of_text = text_cells(feature);
    if (column.type == ColumnType::category) {
        const std::string warning = translate(column, feature, bound);
        if (!warning.empty()) warnings.push_back(warning);
    }
    return {};
}

/// The column of each feature, or none.
using Columns = std::vector<std::optional<std::size_t>>;

Columns columns_by_name(const model::Ensemble& ensemble, const data::Schema& schema, Mismatch& mismatch) {
    std::unordered_map<std::string_view, std::size_t> places;
    std::vector<std::string> names;
    for (std::size_t c = 0; c < schema.columns.size(); ++c) {
        places.emplace(schema.columns[c].name, c);
        names.push_back(schema.columns[c].name);
    }
    Columns columns;
    for (const Feature& feature : ensemble.features) {
        const auto found = places.find(feature.name);
        columns.push_back(found == places.end() ? std::nullopt : std::optional(found->second));
        if (found != places.end()) continue;
        const std::string nearest = nearest_name(feature.name, names);
        mismatch.missing.push_back(quoted(feature.name) +
                                   (nearest.empty() ? "" : " (nearest column: '" + nearest + "')"));
    }
    return columns;
}

/// Whether the model's own names for its features are no names that the table knows.
bool by_position(const model::Ensemble& ensemble, const data::Schema& schema) {
    if (!ensemble.features_by_position) return false;
    return !std::ranges::all_of(ensemble.features,
                                [&](const Feature& feature) { return schema.find(feature.name).has_value(); });
}

/// Says which columns are read when there are more of them than features: a label that the table does not mark as one
/// might stand before them.
Columns columns_by_position(const model::Ensemble& ensemble, const data::Schema& schema,
                            std::vector<std::string>& warnings) {
    std::vector<std::size_t> places = schema.features();
    const std::size_t count = ensemble.features.size();
    if (places.size() < count)
        throw InputError(
            "the model knows its " + std::to_string(count) + " features by position only, but the table has " +
            std::to_string(places.size()) +
            " feature columns; take a table with the columns that the model was made for, in their order");
    if (places.size() > count) {
        std::vector<std::string> read;
        std::vector<std::string> left;
        for (std::size_t i = 0; i < places.size(); ++i)
            (i < count ? read : left).push_back(quoted(schema.columns[places[i]].name));
        warnings.push_back("the model knows its features by position only: its " + std::to_string(count) +
                           " features are taken to be " + joined(read) + "; not read: " + joined(left));
    }
    places.resize(count);
    return {places.begin(), places.end()};
}

}  // namespace

Binding::Binding(const model::Ensemble& ensemble, const data::Schema& schema) : features_(ensemble.features.size()) {
    for (const model::Tree& tree : ensemble.trees) mark_used(tree, features_);
    Mismatch mismatch;
    const auto columns = by_position(ensemble, schema) ? columns_by_position(ensemble, schema, warnings_)
                                                       : columns_by_name(ensemble, schema, mismatch);
    for (std::size_t f = 0; f < features_.size(); ++f) {
        if (!columns[f]) continue;
        features_[f].column = *columns[f];
        const std::string objection =
            bind_column(schema.columns[*columns[f]], ensemble.features[f], features_[f], warnings_);
        if (!objection.empty()) mismatch.unfit.push_back(objection);
    }
    if (!mismatch.missing.empty() || !mismatch.unfit.empty()) refuse(mismatch, ensemble, schema);
}

void Binding::use_only(const model::Tree& tree) {
    for (BoundFeature& feature : features_) feature.used = false;
    mark_used(tree, features_);
}

}  // namespace regrove::infer
