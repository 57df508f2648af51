// What each feature adds to a row's scores: Shapley values with the all-left baseline, row by row.
#pragma once

#include <vector>

#include "regrove/algebra/polynomial.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

struct RowAttributions {
    /// Row by row, feature by feature (all features of the frame), score by score. The values of a row and score add up to
    /// its score less the baseline's (baseline_scores), each value rounded once.
    std::vector<double> values;
    std::vector<double> scores;  ///< row by row: the exact scores, rounded once
};

/// Each monomial that holds for a row gives coefficient / (number of its features) to each of its features. `binding` is that
/// of asking_ensemble(polynomial) with the shard's schema. Takes rows * features * scores * 8 bytes. In parallel over
/// blocks of 64 rows, the same for any number of threads. Time: as count_rows, and O(features) for each monomial that
/// holds for a row. Throws LimitError when a row's sum leaves 128 bits.
RowAttributions row_attributions(const Polynomial& polynomial, const infer::Binding& binding,
                                 const data::TableShard& shard);

}  // namespace regrove::algebra
