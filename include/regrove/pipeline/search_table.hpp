// The table of a search: one row a trial, written after each, and read again by the run that goes on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/crossvalidation.hpp"
#include "regrove/metric/registry.hpp"
#include "regrove/pipeline/search_space.hpp"

namespace regrove::pipeline {

/// What one setting has shown.
struct SearchTrial {
    std::string hash;          ///< of all that decides the numbers
    std::vector<double> test;  ///< one a metric, means over its folds; NaN when not defined
    std::vector<double> test_standard_error;
    std::vector<double> train;
    double leaves = 0;  ///< a tree, on average
    double depth = 0;   ///< of the deepest tree, on average over the folds
};

/// The trial of these folds, or of one pair of tables.
SearchTrial to_trial(const dist::CrossValidation& result, const std::vector<metric::Metric>& metrics,
                     std::string hash);

/// Columns: trial (from one), each varied option, test_METRIC, test_METRIC_standard_error and train_METRIC of each
/// metric, leaves, depth, options_hash. `settings` begins with those of the trials. The same on every rank.
data::TableShard search_table(const std::vector<SearchDimension>& space, const std::vector<SearchSetting>& settings,
                              const std::vector<SearchTrial>& trials, const std::vector<metric::Metric>& metrics);

/// The trials of a table that search_table made, by hash; empty when there is no such file. Collective; throws
/// InputError (agreed) when it is no such table.
std::map<std::string, SearchTrial> read_search_table(comm::Communicator& comm, const std::string& path,
                                                     const std::vector<metric::Metric>& metrics);

/// The place of the best trial by the first metric: the first of equals; trials without a number are behind all
/// others. `trials` is not empty.
std::size_t best_trial(const std::vector<SearchTrial>& trials, const metric::Metric& metric);

}  // namespace regrove::pipeline
