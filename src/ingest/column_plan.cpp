// Options win over the schema file, and both over what another table says about columns of the same name.
#include "regrove/ingest/column_plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/ingest/excerpt.hpp"
#include "regrove/ingest/schema_file.hpp"

namespace regrove::ingest {
namespace {

using data::ColumnRole;
using data::ColumnType;

class ColumnNames {
  public:
    explicit ColumnNames(const TextLayout& layout) : layout_(layout) {
        for (std::size_t i = 0; i < layout.names.size(); ++i) {
            const auto [entry, fresh] = index_of_.emplace(layout.names[i], i);
            if (!fresh)
                throw InputError({layout.files.front().path, 0, 0},
                                 "columns " + std::to_string(entry->second) + " and " + std::to_string(i) +
                                     " both have the name " + excerpt(layout.names[i]) +
                                     "; give other names with --names (and --header yes)");
        }
    }

    /// By name, else by zero-based index.
    std::size_t find(const std::string& option, const std::string& column) const {
        const auto named = index_of_.find(column);
        if (named != index_of_.end()) return named->second;
        const auto number = parse_int64(column);
        if (number.status == NumberStatus::ok && number.value >= 0 &&
            static_cast<std::uint64_t>(number.value) < layout_.names.size())
            return static_cast<std::size_t>(number.value);
        throw ConfigError(option + ": no column " + excerpt(column) + "; " + known());
    }
    std::optional<std::size_t> find_name(const std::string& name) const {
        const auto named = index_of_.find(name);
        return named == index_of_.end() ? std::nullopt : std::optional(named->second);
    }

  private:
    std::string known() const {
        if (!layout_.has_header && layout_.names.front() == "column_0")
            return "the file has no header line (use --header yes if it has), so columns are given by index, 0 to " +
                   std::to_string(layout_.names.size() - 1) + ", or named with --names";
        std::string text = "the columns are";
        constexpr std::size_t k_listed = 20;
        for (std::size_t i = 0; i < std::min(layout_.names.size(), k_listed); ++i)
            text += (i == 0 ? " " : ", ") + layout_.names[i];
        if (layout_.names.size() > k_listed) text += ", ... (" + std::to_string(layout_.names.size()) + " in all)";
        return text;
    }

    const TextLayout& layout_;
    std::map<std::string, std::size_t> index_of_;
};

void fix_type(ColumnRule& rule, ColumnType type) {
    rule.type = type;
    rule.mode = type == ColumnType::category ? CellMode::category
                : type == ColumnType::text   ? CellMode::text
                                             : CellMode::number;
}

void apply_expected(std::vector<ColumnRule>& rules, const ColumnNames& names, const data::Schema& expected) {
    for (const data::ColumnSchema& column : expected.columns) {
        const auto index = names.find_name(column.name);
        if (!index) continue;
        ColumnRule& rule = rules[*index];
        // Numbers are inferred as always: another table's narrower type is no demand on this one.
        if (column.type == ColumnType::category) fix_type(rule, ColumnType::category);
        if (column.type == ColumnType::text) fix_type(rule, ColumnType::text);
        if (column.role == ColumnRole::id) {
            rule.role = ColumnRole::id;
            fix_type(rule, ColumnType::text);
        }
    }
}

void apply_schema_file(std::vector<ColumnRule>& rules, const ColumnNames& names, const std::string& path) {
    for (const SchemaFileColumn& column : read_schema_file(path)) {
        const std::size_t index = column.index ? *column.index : names.find("schema " + path, column.name);
        if (index >= rules.size())
            throw ConfigError("schema " + path + ": index " + std::to_string(index) + ", but the columns end at " +
                              std::to_string(rules.size() - 1));
        ColumnRule& rule = rules[index];
        // A name beside an index gives the column a new one.
        if (column.index && !column.name.empty()) rule.name = column.name;
        if (column.role) rule.role = *column.role;
        if (column.role == ColumnRole::id) fix_type(rule, ColumnType::text);
        if (column.type) fix_type(rule, *column.type);
        rule.levels = column.categories;
        if (column.ignore) rule.mode = CellMode::skip;
    }
}

void give_role(std::vector<ColumnRule>& rules, std::size_t index, ColumnRole role) {
    for (ColumnRule& other : rules)
        if (other.role == role && role != ColumnRole::id) other.role = ColumnRole::feature;
    ColumnRule& rule = rules[index];
    if (rule.role != ColumnRole::feature && rule.role != role)
        throw ConfigError("column '" + rule.name + "' is both " + std::string(to_text(rule.role)) + " and " +
                          std::string(to_text(role)));
    if (rule.mode == CellMode::skip)
        throw ConfigError("column '" + rule.name + "' is both ignored and " + std::string(to_text(role)));
    rule.role = role;
}

void apply_roles(std::vector<ColumnRule>& rules, const ColumnNames& names, const TextOptions& options) {
    const auto single = [&](const std::string& option, const std::string& column, ColumnRole role) {
        if (!column.empty()) give_role(rules, names.find(option, column), role);
    };
    single("target", options.target, ColumnRole::label);
    single("weight", options.weight, ColumnRole::weight);
    single("group", options.group, ColumnRole::group);
    single("fold", options.fold, ColumnRole::fold);
    for (const std::string& column : options.id) {
        const std::size_t index = names.find("id", column);
        give_role(rules, index, ColumnRole::id);
        fix_type(rules[index], ColumnType::text);
    }
    for (const std::string& column : options.categorical) {
        ColumnRule& rule = rules[names.find("categorical", column)];
        rule.mode = CellMode::category;
        rule.type = ColumnType::category;
        rule.wanted_category = true;
    }
    for (const std::string& column : options.ignore) {
        ColumnRule& rule = rules[names.find("ignore", column)];
        if (rule.role != ColumnRole::feature)
            throw ConfigError("column '" + rule.name + "' is both ignored and " + std::string(to_text(rule.role)));
        rule.mode = CellMode::skip;
    }
}

struct LabelClass {
    std::string text;
    std::uint64_t number = 0;
};

/// "a=0,b=1" or "a,b" as texts with class numbers.
std::vector<LabelClass> label_classes(const std::vector<std::string>& map) {
    std::vector<LabelClass> classes;
    const auto numbered = [](const std::string& item) {
        const std::size_t equals = item.rfind('=');
        return equals != std::string::npos &&
               parse_int64(std::string_view(item).substr(equals + 1)).status == NumberStatus::ok;
    };
    const bool numbers = std::ranges::all_of(map, numbered);
    for (const std::string& item : map) {
        if (!numbers) {
            classes.push_back({item, classes.size()});
            continue;
        }
        const std::size_t equals = item.rfind('=');
        const std::int64_t number = parse_int64(std::string_view(item).substr(equals + 1)).value;
        if (number < 0 || static_cast<std::size_t>(number) >= map.size())
            throw ConfigError("label_map: class " + std::to_string(number) + " of " + excerpt(item) +
                              "; classes are numbered from 0 without gaps");
        classes.push_back({item.substr(0, equals), static_cast<std::uint64_t>(number)});
    }
    return classes;
}

/// The label becomes a category whose codes are the class numbers; a class is called by the first text that has it.
void apply_label_map(std::vector<ColumnRule>& rules, const TextOptions& options) {
    if (options.label_map.empty()) return;
    const auto label = std::ranges::find(rules, ColumnRole::label, &ColumnRule::role);
    if (label == rules.end()) throw ConfigError("label_map: no label is given; use --target");
    fix_type(*label, ColumnType::category);
    std::map<std::uint64_t, std::string> names;
    label->synonyms.clear();
    for (const LabelClass& item : label_classes(options.label_map)) {
        const auto [entry, fresh] = names.emplace(item.number, item.text);
        if (!fresh) label->synonyms.emplace(item.text, entry->second);
    }
    label->levels.clear();
    for (const auto& [number, text] : names) {
        if (number != label->levels.size())
            throw ConfigError("label_map: no text has class " + std::to_string(label->levels.size()) +
                              "; classes are numbered from 0 without gaps");
        label->levels.push_back(text);
    }
}

}  // namespace

std::vector<ColumnRule> plan_columns(const TextLayout& layout, const TextOptions& options) {
    const ColumnNames names(layout);
    std::vector<ColumnRule> rules(layout.names.size());
    for (std::size_t i = 0; i < rules.size(); ++i) rules[i].name = layout.names[i];
    apply_expected(rules, names, options.expected);
    if (!options.schema.empty()) apply_schema_file(rules, names, options.schema);
    apply_roles(rules, names, options);
    apply_label_map(rules, options);
    return rules;
}

}  // namespace regrove::ingest
