// Provenance names the column; its cells must all be finite numbers.
#include "regrove/infer/initial_scores.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::infer {

namespace {

/// Where training writes the option; see pipeline::describe.
constexpr const char* k_provenance_key = "option.initial_score";

std::size_t find_column(const data::Schema& schema, const std::string& name) {
    if (const auto column = schema.find(name)) return *column;
    std::vector<std::string> names;
    for (const data::ColumnSchema& column : schema.columns) names.push_back(column.name);
    const std::string near = nearest_name(name, names);
    throw InputError("the table has no column '" + name + "' of initial scores" +
                     (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

void check_column(const data::ColumnSchema& column) {
    const bool has_role = column.role != data::ColumnRole::feature && column.role != data::ColumnRole::id;
    if (has_role)
        throw InputError("column '" + column.name + "' cannot hold initial scores: it is the table's " +
                         std::string(data::to_text(column.role)) + "; give a column of their own");
    if (!data::is_numeric(column.type))
        throw InputError("column '" + column.name + "' holds " + std::string(data::to_text(column.type)) +
                         " values, but initial scores are numbers");
}

}  // namespace

std::string initial_score_column(const model::Ensemble& ensemble) {
    if (ensemble.combination != model::Combination::sum) return {};
    const auto found = ensemble.provenance.find(k_provenance_key);
    return found == ensemble.provenance.end() ? "" : found->second;
}

std::vector<double> initial_scores_of(const model::Ensemble& ensemble, const data::TableShard& shard) {
    const std::string column = initial_score_column(ensemble);
    if (column.empty()) return {};
    if (ensemble.scores() != 1)
        throw InputError("the model has " + std::to_string(ensemble.scores()) +
                         " scores, but its provenance names a column of initial scores, which is for one");
    return read_initial_scores(shard, column);
}

std::vector<double> read_initial_scores(const data::TableShard& shard, const std::string& column) {
    const std::size_t place = find_column(shard.schema, column);
    const data::ColumnSchema& schema = shard.schema.columns[place];
    check_column(schema);
    std::vector<double> scores(shard.rows);
    for (std::size_t row = 0; row < scores.size(); ++row) {
        scores[row] = data::as_double(schema.type, shard.values[place], row);
        if (std::isfinite(scores[row])) continue;
        throw InputError("row " + std::to_string(shard.first_row + row) +
                         " (from zero): the initial score in column '" + column + "' is " +
                         (std::isnan(scores[row]) ? "missing" : to_text(scores[row])) +
                         "; it must be a finite number in every row");
    }
    return scores;
}

}  // namespace regrove::infer
