// Labels are matched by their text, as models match them.
#include "regrove/dist/class_labels.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/train/folds.hpp"

namespace regrove::dist {

namespace {

using data::ColumnType;

/// More integers than the learner takes for classes.
constexpr std::size_t k_too_many_classes = 10001;

std::size_t label_of(const data::TableShard& table) {
    if (const auto label = table.schema.find(data::ColumnRole::label)) return *label;
    throw InputError("the table has no label column; name it with --target");
}

const data::ColumnSchema& label_schema(const data::TableShard& table) {
    return table.schema.columns[label_of(table)];
}

void require_labels(const data::TableShard& roles) {
    const std::size_t label = label_of(roles);
    const data::ColumnSchema& schema = roles.schema.columns[label];
    for (std::uint64_t row = 0; row < roles.rows; ++row) {
        if (!data::is_missing(schema.type, roles.values[label], row)) continue;
        throw InputError("label '" + schema.name + "', row " + std::to_string(row + 1) +
                         ": the label is missing; fill it in or leave the row out");
    }
}

bool holds_integers(const data::TableShard& table) {
    const ColumnType type = label_schema(table).type;
    return type == ColumnType::int32 || type == ColumnType::int64;
}

std::vector<std::string> integer_names(std::span<const data::TableShard> roles) {
    std::set<std::int64_t> integers;
    for (const data::TableShard& table : roles) {
        const std::size_t label = label_of(table);
        for (std::uint64_t row = 0; row < table.rows && integers.size() < k_too_many_classes; ++row)
            integers.insert(static_cast<std::int64_t>(
                data::as_double(table.schema.columns[label].type, table.values[label], row)));
    }
    std::vector<std::string> names;
    for (const auto value : integers) names.push_back(to_text(value));
    return names;
}

std::vector<std::string> joined_names(std::span<const data::TableShard> roles) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    const auto add = [&](const std::string& name) {
        if (seen.insert(name).second) names.push_back(name);
    };
    for (const data::TableShard& table : roles) {
        const std::size_t label = label_of(table);
        const data::ColumnSchema& schema = table.schema.columns[label];
        if (schema.type == ColumnType::category) {
            for (const std::string& name : schema.categories) add(name);
        } else {
            for (std::uint64_t row = 0; row < table.rows; ++row)
                add(data::cell_text(schema, table.values[label], row));
        }
    }
    return names;
}

void recode(data::TableShard& shard, const std::vector<std::string>& classes) {
    std::unordered_map<std::string, std::int32_t> code;
    for (const std::string& name : classes) code.emplace(name, static_cast<std::int32_t>(code.size()));
    const std::size_t label = label_of(shard);
    data::ColumnSchema& schema = shard.schema.columns[label];
    std::vector<std::int32_t> codes(shard.rows);
    for (std::uint64_t row = 0; row < shard.rows; ++row)
        codes[row] = code.at(data::cell_text(schema, shard.values[label], row));
    schema.type = ColumnType::category;
    schema.categories = classes;
    shard.values[label] = std::move(codes);
}

}  // namespace

void unify_class_labels(std::span<data::TableShard> shards, std::span<const data::TableShard> roles,
                        train::Criterion criterion) {
    for (const data::TableShard& table : roles) require_labels(table);
    const bool any_numbers = std::ranges::any_of(
        roles, [&](const auto& table) { return train::label_is_a_number(label_schema(table), criterion); });
    if (any_numbers) return;
    const bool all_integers = std::ranges::all_of(roles, holds_integers);
    if (!all_integers && shards.size() == 1) return;
    const auto classes = all_integers ? integer_names(roles) : joined_names(roles);
    if (all_integers && criterion == train::Criterion::automatic && classes.size() != 2) return;
    if (classes.size() >= k_too_many_classes) return;
    for (data::TableShard& shard : shards) recode(shard, classes);
}

}  // namespace regrove::dist
