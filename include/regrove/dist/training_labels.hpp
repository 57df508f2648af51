// Labels, weights and groups of a rank's rows: as an objective sees them, and as training keeps them in fewer bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/core/narrow_numbers.hpp"
#include "regrove/objective/objective.hpp"

namespace regrove::dist {

/// Labels of some rows as an objective sees them.
struct RowLabels {
    std::vector<double> labels;               ///< class indices, numbers or relevances
    std::vector<double> weights;              ///< class weights multiplied in; empty: one each
    std::vector<std::uint64_t> group_begins;  ///< ranking

    objective::LabelledRows view() const { return {labels, weights, group_begins}; }
};

/// The same of the training rows, which stay in memory while trees grow.
struct TrainingLabels {
    NarrowNumbers labels;
    NarrowNumbers weights;                    ///< empty: one each
    std::vector<std::uint64_t> group_begins;  ///< ranking

    std::size_t rows() const { return labels.size(); }
    /// At 8 bytes a row, and 8 for a weight.
    RowLabels whole() const;
};

/// Objective::check_labels and Objective::summarise of the rows, some at a time where they are not grouped.
void check_labels(const objective::Objective& objective, const TrainingLabels& rows, std::uint64_t first_row);
std::vector<std::int64_t> summarise(const objective::Objective& objective, const TrainingLabels& rows);

}  // namespace regrove::dist
