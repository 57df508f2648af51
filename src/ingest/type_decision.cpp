// The rules of inference in one place; docs/ingest.md says the same in plain words.
#include "regrove/ingest/type_decision.hpp"

#include <limits>

namespace regrove::ingest {
namespace {

/// A category of more than this many rows with more distinct levels than half of its cells looks like an id.
constexpr std::uint64_t k_id_like_rows = 100;

std::string named(const ColumnRule& rule) { return "column '" + rule.name + "'"; }

void refuse_lost_numbers(const ColumnRule& rule, const CellSummary& summary, const NamePlace& name_place) {
    const std::string ways = "; use --categorical '" + rule.name +
                             "' to keep the texts, --ignore to leave the column out, "
                             "or --missing to call the text missing";
    if (summary.overflows > 0)
        throw InputError(name_place(summary.first_overflow),
                         "a number in " + named(rule) + " is larger than any 64-bit float can hold" + ways);
    if (summary.infinities > 0)
        throw InputError(name_place(summary.first_infinity), "an infinite value in " + named(rule) + ways);
    if (summary.lossy_integers > 0 && summary.reals == 0)
        throw InputError(name_place(summary.first_lossy_integer),
                         "a whole number in " + named(rule) + " does not fit 64 bits and would lose digits" + ways);
    if (summary.point_marks > 0 && summary.comma_marks > 0)
        throw InputError(name_place(summary.first_point_mark),
                         named(rule) + " has numbers with a decimal comma and with a decimal point" + ways);
}

data::ColumnType number_type(const CellSummary& summary) {
    if (summary.has_real()) return summary.float64_only > 0 ? data::ColumnType::float64 : data::ColumnType::float32;
    if (summary.integers == 0) return data::ColumnType::float32;
    const bool narrow = summary.low_integer > data::k_missing_int32 &&
                        summary.high_integer <= std::numeric_limits<std::int32_t>::max();
    return narrow ? data::ColumnType::int32 : data::ColumnType::int64;
}

}  // namespace

data::ColumnType decide_type(const ColumnRule& rule, const CellSummary& summary, const NamePlace& name_place) {
    if (rule.type) return *rule.type;
    if (rule.mode == CellMode::text) return data::ColumnType::text;
    if (rule.mode == CellMode::category) return data::ColumnType::category;
    if (!summary.has_text()) {
        refuse_lost_numbers(rule, summary, name_place);
        return number_type(summary);
    }
    if (summary.comma_texts > 0 && summary.other_texts == 0 && summary.codes == 0)
        throw InputError(name_place(summary.first_text),
                         "the texts of " + named(rule) +
                             " look like numbers with a decimal comma; use --decimal comma, "
                             "or --categorical '" +
                             rule.name + "' to keep them as texts");
    return data::ColumnType::category;
}

void refuse_useless(const ColumnRule& rule, data::ColumnType type, const CellSummary& summary,
                    const ColumnFacts& facts) {
    const bool label = rule.role == data::ColumnRole::label;
    if (label && facts.rows > 0) {
        const bool one = type == data::ColumnType::category ? facts.levels <= 1 : !(summary.low < summary.high);
        if (one)
            throw InputError("the label (" + named(rule) + ") has the same value in all " +
                             std::to_string(facts.rows) + " rows; there is nothing to learn");
    }
    if (!rule.levels.empty()) return;  // a dictionary that was given may be as long as it likes
    if (type != data::ColumnType::category || facts.rows < 2 || facts.levels < facts.rows) return;
    if (!label && rule.role != data::ColumnRole::feature) return;
    throw InputError(named(rule) + " is a category with a different text in each of the " +
                     std::to_string(facts.rows) + " rows; use --id '" + rule.name +
                     "' if it names the rows, or --ignore '" + rule.name + "'");
}

std::optional<std::string> warn_of(const ColumnRule& rule, data::ColumnType type, const CellSummary& summary,
                                   const ColumnFacts& facts) {
    if (summary.point_marks > 0 && type != data::ColumnType::category)
        return named(rule) +
               " has decimal points although --decimal comma is given; they were read as decimal points";
    if (rule.role != data::ColumnRole::feature || facts.rows < 2 || type == data::ColumnType::text)
        return std::nullopt;
    if (summary.present() == 0) return named(rule) + " has no value in any row";
    const bool one = type == data::ColumnType::category ? facts.levels == 1 : !(summary.low < summary.high);
    if (one && summary.missing == 0) return named(rule) + " has the same value in all rows";
    const bool id_like = type == data::ColumnType::category && summary.present() > k_id_like_rows &&
                         facts.levels * 2 > summary.present();
    if (id_like)
        return named(rule) + " looks like an id: " + std::to_string(facts.levels) + " different texts in " +
               std::to_string(summary.present()) + " cells; use --id or --ignore if it is one";
    return std::nullopt;
}

}  // namespace regrove::ingest
