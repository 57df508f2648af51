// Scores that rows bring with them: a column that a boosted model's trees are added to (an offset, a base margin).
#pragma once

#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::infer {

/// The column that the model's rows began at while it was trained, as its provenance says; empty: at initial_scores alone.
/// It is no feature: whoever answers for rows of a table adds the column, and without a table the model speaks of rows whose
/// initial score is zero.
std::string initial_score_column(const model::Ensemble& ensemble);

/// That column's numbers, one a row; empty when the model has none. Throws InputError as read_initial_scores does.
std::vector<double> initial_scores_of(const model::Ensemble& ensemble, const data::TableShard& shard);

/// The numbers of the column, one a row, as raw scores (before the link). Throws InputError when there is no such column, when it holds no numbers, is the label, weight, group or fold, and naming the row (from zero, over all ranks) when one
/// is missing or infinite.
std::vector<double> read_initial_scores(const data::TableShard& shard, const std::string& column);

}  // namespace regrove::infer
