// Looking up columns by name and role, and the rules that a schema keeps.
#include "regrove/data/schema.hpp"

#include <array>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "regrove/core/error.hpp"

namespace regrove::data {

namespace {

constexpr std::array<std::string_view, 6> k_type_texts{"float32", "float64", "int32", "int64", "category", "text"};
constexpr std::array<std::string_view, 6> k_role_texts{"feature", "label", "weight", "group", "fold", "id"};

template <class E, std::size_t size>
std::optional<E> from_text(const std::array<std::string_view, size>& texts, std::string_view text) {
    for (std::size_t i = 0; i < size; ++i)
        if (texts[i] == text) return static_cast<E>(i);
    return std::nullopt;
}

void check_dictionary(const ColumnSchema& column) {
    if (column.type != ColumnType::category && !column.categories.empty())
        throw InputError("column '" + column.name + "' is of type " + std::string(to_text(column.type)) +
                         " but has a dictionary; only category columns have one");
    std::unordered_set<std::string_view> seen;
    for (const std::string& category : column.categories)
        if (!seen.insert(category).second)
            throw InputError("column '" + column.name + "': category '" + category +
                             "' stands twice in its dictionary");
}

void check_single_role(const Schema& schema, ColumnRole role) {
    const ColumnSchema* first = nullptr;
    for (const ColumnSchema& column : schema.columns) {
        if (column.role != role) continue;
        if (first != nullptr)
            throw InputError("columns '" + first->name + "' and '" + column.name + "' both have the role " +
                             std::string(to_text(role)) + "; only one may");
        first = &column;
    }
}

}  // namespace

std::string_view to_text(ColumnType type) { return k_type_texts[static_cast<std::size_t>(type)]; }
std::string_view to_text(ColumnRole role) { return k_role_texts[static_cast<std::size_t>(role)]; }

std::optional<ColumnType> column_type_from_text(std::string_view text) {
    return from_text<ColumnType>(k_type_texts, text);
}

std::optional<ColumnRole> column_role_from_text(std::string_view text) {
    return from_text<ColumnRole>(k_role_texts, text);
}

std::optional<std::size_t> Schema::find(std::string_view name) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == name) return i;
    return std::nullopt;
}

std::optional<std::size_t> Schema::find(ColumnRole role) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].role == role) return i;
    return std::nullopt;
}

std::vector<std::size_t> Schema::features() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].role == ColumnRole::feature) indices.push_back(i);
    return indices;
}

Hash128 Schema::hash() const {
    Hasher hasher;
    hasher.update_field(std::to_string(columns.size()));
    for (const ColumnSchema& column : columns) {
        hasher.update_field(column.name);
        hasher.update_field(to_text(column.type));
        hasher.update_field(to_text(column.role));
        hasher.update_field(std::to_string(column.categories.size()));
        for (const std::string& category : column.categories) hasher.update_field(category);
    }
    return hasher.digest();
}

void validate(const Schema& schema) {
    if (schema.columns.empty()) throw InputError("the table has no columns");
    std::unordered_map<std::string_view, std::size_t> first_with_name;
    for (std::size_t i = 0; i < schema.columns.size(); ++i) {
        const ColumnSchema& column = schema.columns[i];
        if (column.name.empty()) throw InputError("column " + std::to_string(i) + " has no name");
        const auto [first, is_new] = first_with_name.emplace(column.name, i);
        if (!is_new)
            throw InputError("columns " + std::to_string(first->second) + " and " + std::to_string(i) +
                             " have the same name '" + column.name + "'; rename one");
        check_dictionary(column);
    }
    for (const ColumnRole role : {ColumnRole::label, ColumnRole::weight, ColumnRole::group, ColumnRole::fold})
        check_single_role(schema, role);
}

}  // namespace regrove::data
