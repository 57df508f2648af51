// One sweep over the runs of all numeric columns for a set of slots: the collective part that questions and surrogates share.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/column_runs.hpp"
#include "regrove/dist/run_reader.hpp"
#include "regrove/train/numeric_sweep.hpp"

namespace regrove::dist {

struct NumericPass {
    train::StatisticsLayout layout;
    train::Criterion criterion = train::Criterion::gini;
    std::uint32_t slots = 0;
    RowMessages messages;
    std::uint64_t min_rows_leaf = 1;
    bool missing_as_question = false;
    bool valued_rows_only = false;  ///< rows without a value take no part (surrogate rule)
    /// Totals of the rows with and without a value of the column, slots x layout size; `missing` may return empty.
    std::function<std::vector<std::int64_t>(std::uint32_t column)> valued;
    std::function<std::span<const std::int64_t>(std::uint32_t column)> missing;
};

/// Calls take(column, result) for each numeric column in order, with what this rank's run gave. Collective.
void sweep_columns(comm::Communicator& comm, const ColumnRuns& runs, const train::EntropyTerms& entropy,
                   const NumericPass& pass,
                   const std::function<void(std::uint32_t column, train::SweepResult&& result)>& take);

}  // namespace regrove::dist
