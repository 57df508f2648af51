// The figures of refits as tables and totals.
#pragma once

#include <cstdint>

#include "regrove/data/table.hpp"
#include "regrove/dist/stability.hpp"

namespace regrove::pipeline {

struct StabilityFigures {
    std::uint64_t held_out_rows = 0;
    double flips_mean = 0;  ///< rows a refit
    std::uint64_t flips_most = 0;
    double flip_share = 0;  ///< of all (refit, held-out row)
    std::uint64_t rows_ever_flipped = 0;
    std::uint64_t refits_with_other_root = 0;  ///< than their model of all rows, by the first tree
};
StabilityFigures stability_figures(const dist::Stability& measured);

/// Columns: fold, row (from zero, in its table), truth, class (by the model of all rows), flips, flip_share.
data::TableShard row_flip_table(const dist::StabilityRun& run, const dist::Stability& measured);
/// Columns: fold, refit (from one), left_out_row (leave-one-out: from zero), held_out_rows, flips, root, same_root.
data::TableShard refit_table(const dist::StabilityRun& run, const dist::Stability& measured);
/// Columns: question, trees, share, of_all_rows.
data::TableShard root_table(const dist::Stability& measured);

}  // namespace regrove::pipeline
