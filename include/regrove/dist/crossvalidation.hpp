// Cross-validation: every trial learns from some rows and is judged by rows that it has not seen.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/trial_plan.hpp"
#include "regrove/dist/trial_table.hpp"
#include "regrove/dist/trials.hpp"
#include "regrove/metric/registry.hpp"

namespace regrove::dist {

struct TrialFigures {
    std::uint64_t train_rows = 0;
    std::uint64_t test_rows = 0;
    double leaves = 0;          ///< a tree, on average
    double depth = 0;           ///< of the deepest tree
    std::vector<double> train;  ///< one a metric; NaN when not defined
    std::vector<double> test;
};

/// Held-out answers of the rows that this rank answers for (TrialTable::own_begin), sheet after sheet.
struct HeldOut {
    Answers answers;
    std::vector<std::uint64_t> sheet_begins;  ///< sheets + 1
    std::vector<std::uint32_t> fold;          ///< one a row of `answers`
};

struct CrossValidation {
    std::vector<TrialFigures> trials;
    std::vector<double> pooled;  ///< one a metric, over all held-out answers together
    HeldOut held_out;
};

struct CrossValidationRun {
    const std::vector<TrialTable>& tables;
    const TrialPlan& plan;
    const std::vector<metric::Metric>& metrics;
    TrialSpread spread;  ///< trials or rows, as the tables are
    std::uint64_t seed;  ///< trial t's learner has trial_seed(seed, t)
};

/// The same on every rank, for any number of ranks and either spread, but for `held_out`. Collective; errors are agreed
/// and name the trial.
CrossValidation cross_validate(comm::Communicator& comm, const CrossValidationRun& run, const Fit& fit);

/// Mean over those trials for which the number is defined, and its standard error: their standard deviation (n - 1) over
/// the root of their number. NaN without any, or with one only.
struct MeanOfTrials {
    double mean = 0;
    double standard_error = 0;
    std::size_t defined = 0;
};
MeanOfTrials mean_of(const std::vector<double>& values);

}  // namespace regrove::dist
