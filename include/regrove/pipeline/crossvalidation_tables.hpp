// A cross-validation's results as tables: one row a trial, one row a value of the varied option, one row a held-out answer.
#pragma once

#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/dist/crossvalidation.hpp"
#include "regrove/dist/trial_plan.hpp"
#include "regrove/pipeline/option_sweep.hpp"

namespace regrove::pipeline {

/// One metric over all trials.
struct MetricOverTrials {
    std::string name;
    dist::MeanOfTrials train;
    dist::MeanOfTrials test;
    double pooled = 0;
    std::vector<double> test_by_trial;
    std::vector<double> train_by_trial;
};

std::vector<MetricOverTrials> metrics_over_trials(const dist::CrossValidation& result,
                                                  const std::vector<metric::Metric>& metrics);
/// Leaves a tree, over all trials.
dist::MeanOfTrials leaves_over_trials(const dist::CrossValidation& result);

/// `results` belong to the sweep's values, in order.
struct SweepResults {
    const OptionSweep& sweep;
    const dist::TrialPlan& plan;
    const std::vector<metric::Metric>& metrics;
    const std::vector<dist::CrossValidation>& results;
};

/// Columns: the option (when one varies), repeat, fold, train_rows, test_rows, leaves, depth, and train_METRIC and
/// test_METRIC of each metric. Repeats and folds count from one; given folds have their names.
data::TableShard trial_table(const SweepResults& results);

/// Columns: the option (when one varies), trials, leaves, and for each metric train_METRIC, train_METRIC_standard_error,
/// test_METRIC, test_METRIC_standard_error and pooled_METRIC.
data::TableShard means_table(const SweepResults& results);

/// This rank's rows of each sheet. Columns: repeat, fold, row (from zero, in its table), truth, and `class` and
/// probability_NAME of each class, or `value`.
std::vector<data::TableShard> held_out_tables(const dist::CrossValidationRun& run, const dist::HeldOut& held_out);

}  // namespace regrove::pipeline
