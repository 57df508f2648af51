// Attributions of all rows of a table: one column a score and feature, and their means over all ranks' rows.
#pragma once

#include <vector>

#include "regrove/algebra/shap_values.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// One element for each score and feature asked for, score by score (algebra::ShapValues).
struct RowShap {
    std::vector<std::vector<double>> phi;  ///< of this rank's rows; empty vectors when they are not kept
    std::vector<double> mean_size;         ///< of |phi| over all ranks' rows: exact sums, rounded once
    std::vector<double> mean;              ///< of phi
    /// One a score: the largest |score - base - sum of phi| of all ranks' rows, with exact sums; never above the
    /// bound that algebra::ShapValues states.
    std::vector<double> largest_remainder;
};

/// In parallel over rows; each row's phi hang on nothing but the row, so the bytes are the same on any number of
/// ranks and threads. Collective; throws InputError, agreed, when no rank has a row or a row cannot be explained, and
/// InternalError should a remainder be above its bound.
RowShap explain_rows(comm::Communicator& comm, const algebra::ShapValues& shap, const model::Ensemble& ensemble,
                     const data::TableShard& shard, bool keep_rows);

}  // namespace regrove::dist
