// Most tables check one cell a row, the label.
#include "regrove/ingest/row_rules.hpp"

#include <cmath>

#include "regrove/ingest/excerpt.hpp"

namespace regrove::ingest {
namespace {

NumberCell read_either_mark(std::string_view text, char mark) {
    const NumberCell number = read_number(text, mark);
    return number.kind == NumberKind::none && mark == ',' ? read_number(text, '.') : number;
}

/// Whether a cell can be stored in a numeric column of `type`; codes such as 007 are numbers here, since the schema
/// file says so.
bool is_of_type(std::string_view text, data::ColumnType type, char mark) {
    NumberCell number = read_number_or_code(text, mark);
    if (number.kind == NumberKind::none && mark == ',') number = read_number_or_code(text, '.');
    const bool whole = number.kind == NumberKind::integer;
    switch (type) {
        case data::ColumnType::int32:
            return whole && number.integer > data::k_missing_int32 &&
                   number.integer <= std::numeric_limits<std::int32_t>::max();
        case data::ColumnType::int64:
            return whole;
        case data::ColumnType::float32:
            return (whole || number.kind == NumberKind::real || number.kind == NumberKind::big_integer) &&
                   std::isfinite(static_cast<float>(number.real));
        case data::ColumnType::float64:
            return whole || number.kind == NumberKind::real || number.kind == NumberKind::big_integer;
        case data::ColumnType::category:
        case data::ColumnType::text:
            return true;
    }
    return false;
}

}  // namespace

RowRules::RowRules(const std::vector<ColumnRule>& rules, const CellReading& reading) : reading_(reading) {
    for (std::size_t column = 0; column < rules.size(); ++column) {
        const ColumnRule& rule = rules[column];
        if (!rule.needs_check()) continue;
        checked_.push_back(
            {column, &rule, rule.levels.empty() ? nullptr : std::make_shared<LevelIndex>(rule.levels)});
    }
}

bool RowRules::cell_fits(const Checked& checked, std::string_view text, std::string& reason) const {
    const ColumnRule& rule = *checked.rule;
    const std::string role(to_text(rule.role));
    if (reading_.missing.is_missing(text)) {
        if (rule.may_be_missing()) return true;
        reason = "the " + role + " (column '" + rule.name + "') is missing";
        return false;
    }
    if (rule.type && !is_of_type(text, *rule.type, reading_.decimal_mark)) {
        reason =
            excerpt(text) + " does not fit column '" + rule.name + "' of type " + std::string(to_text(*rule.type));
        return false;
    }
    if (checked.levels != nullptr && !checked.levels->contains(text) && !rule.synonyms.contains(text)) {
        reason = excerpt(text) + " is none of the values given for column '" + rule.name + "'";
        return false;
    }
    if (rule.role == data::ColumnRole::weight) {
        const NumberCell number = read_either_mark(text, reading_.decimal_mark);
        const bool counts = number.kind == NumberKind::integer || number.kind == NumberKind::real;
        if (counts && number.real >= 0) return true;
        reason = "the weight (column '" + rule.name + "') is " + excerpt(text) + ", not a number of at least 0";
        return false;
    }
    return true;
}

std::size_t RowRules::first_misfit(const Field* row, std::string& reason) const {
    for (const Checked& checked : checked_)
        if (!cell_fits(checked, row[checked.column].text(), reason)) return checked.column;
    return k_fits;
}

}  // namespace regrove::ingest
