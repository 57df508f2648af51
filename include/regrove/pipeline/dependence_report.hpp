// Partial dependence as what a person reads: a table, and a picture of a curve, of bars, or of a map.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/dist/partial_dependence.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

/// What the rows have of a numeric feature: where a picture begins and ends. Without any value: low > high.
struct ValueRange {
    double low = 0;
    double high = 0;
};

struct DependenceReport {
    std::vector<dist::GridFeature> grid;  ///< one or two
    std::vector<ValueRange> ranges;       ///< one a feature; of no account for categories
    std::vector<std::string> answers;     ///< names of the numbers at each point: "value", "probability_yes"
    std::vector<double> means;            ///< as dist::partial_dependence gives them, for these answers only
    std::uint64_t rows = 0;
};

/// Names of the answers: `raw`, `raw_CLASS`, `value` or `probability_CLASS`.
std::vector<std::string> answer_names(const model::Ensemble& model, dist::Response response);

/// The probabilities of two classes say the same: the second one's alone are kept.
void keep_one_of_two(DependenceReport& report, const model::Ensemble& model);

/// One row a point. Columns for each feature: its name (the category, the interval in words, or empty for no value),
/// and for numbers NAME_above and NAME_up_to (empty at an open end and for no value); then the answers.
data::TableShard dependence_table(const DependenceReport& report, const model::Ensemble& model);

/// One numeric feature: steps from the smallest to the largest value of the rows, a line an answer. One feature of
/// categories: bars. Two: a map of the first across and the second up; both must be numeric and the answer one
/// number, else ConfigError. The bytes are in the format that `path` names.
std::string dependence_picture(const DependenceReport& report, const model::Ensemble& model, const std::string& path,
                               double scale);
/// Throws as dependence_picture would: to be asked before long work.
void check_dependence_picture(const DependenceReport& report, const model::Ensemble& model);

}  // namespace regrove::pipeline
