// What rows are at before the first tree: a constant that fits best, zero, or a column of the table.
#pragma once

#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/dist/boosting_set.hpp"
#include "regrove/train/boosting_options.hpp"

namespace regrove::dist {

/// Initial scores that this rank's rows bring with them, one a row; empty: none.
struct BroughtScores {
    std::vector<double> training;
    std::vector<double> validation;
};

/// Takes the column of --initial-score out of the tables, so that it is no feature. Collective; throws InputError and ConfigError
/// (agreed) when a table cannot have such a column, lacks it, or a cell is no finite number.
BroughtScores take_initial_scores(comm::Communicator& comm, BoostingTables& tables,
                                  const train::BoostingOptions& options);

/// The model's own initial scores, from exact sums over all ranks; zero where rows bring theirs. Collective; throws ConfigError
/// when rows bring theirs and the objective has several scores.
std::vector<double> first_scores(comm::Communicator& comm, const BoostingSet& set,
                                 const train::BoostingOptions& options);

}  // namespace regrove::dist
