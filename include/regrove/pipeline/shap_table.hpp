// Attributions of rows as a table: ids, base, and one column a feature.
#pragma once

#include "regrove/algebra/shap_values.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/row_shap.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

/// One row for each of the shard's rows, in order: its id columns; then `base` and a column by the name of each
/// feature that some question asks for, in the model's order (all others have exactly zero). With several scores, for
/// each of them `base:SCORE` and `FEATURE:SCORE`. Throws InputError when two columns would have one name.
data::TableShard shap_table(const algebra::ShapValues& shap, dist::RowShap result, const model::Ensemble& model,
                            const data::TableShard& rows);

}  // namespace regrove::pipeline
