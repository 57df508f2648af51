// How much a model hangs on single rows: refits on other samples of the rows against the model of all of them.
//
// Source of the question: Breiman 1996, "Heuristics of instability and stabilization in model selection".
//
// Glossary:
//   refit   a model of the same learner and seed from a resample of the training rows
//   flip    a held-out row whose predicted class differs between a refit and the model of all rows
//   root    the question at the top of a tree
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/dist/trial_plan.hpp"
#include "regrove/dist/trial_table.hpp"
#include "regrove/dist/trials.hpp"

namespace regrove::dist {

enum class Resample : std::uint8_t {
    leave_one_out,  ///< all rows but one
    bootstrap,      ///< as many rows as there are, drawn with replacement
};

/// The training rows of one refit out of `rows`: places, ascending.
struct ResamplePlan {
    Resample resample = Resample::leave_one_out;
    std::uint64_t seed = 0;
    std::uint64_t rows = 0;
    std::uint64_t trials = 0;

    /// `trials` zero: one for each row, or 100 bootstraps. Throws ConfigError when there are more trials than rows to
    /// leave out, or fewer than two rows.
    static ResamplePlan make(Resample resample, std::uint64_t seed, std::uint64_t rows, std::uint64_t trials);
    /// leave_one_out: which row; distinct, ascending by trial, chosen at random when there are fewer trials than rows.
    std::vector<std::uint64_t> left_out() const;
    /// `left_out` as given by left_out(); ignored by bootstraps.
    std::vector<std::uint64_t> places(std::uint64_t trial, const std::vector<std::uint64_t>& left_out) const;
};

struct StabilityRun {
    const std::vector<TrialTable>& tables;
    const TrialPlan& plan;  ///< each of its trials has a model of all its training rows and refits of its own
    Resample resample = Resample::leave_one_out;
    std::uint64_t trials = 0;  ///< of each trial of the plan; see ResamplePlan::make
    TrialSpread spread = TrialSpread::trials;
    std::uint64_t seed = 0;
};

struct Refit {
    std::uint64_t fold = 0;      ///< trial of the plan
    std::uint64_t left_out = 0;  ///< leave_one_out: the row, in its table
    std::uint64_t held_out_rows = 0;
    std::uint64_t flips = 0;
    std::string root;  ///< of the first tree
};

struct RootCount {
    std::string question;  ///< "worst_area > 880.8"; "no question" for a tree that is a leaf
    std::uint64_t trees = 0;
    bool of_all_rows = false;  ///< a model of all rows has it too
};

/// What all refits say of the held-out rows of one trial of the plan, in ascending order of places.
struct RowFlips {
    std::vector<std::uint64_t> rows;
    std::vector<std::int32_t> truth;
    std::vector<std::int32_t> predicted;  ///< by the model of all rows
    std::vector<std::uint64_t> flips;     ///< refits that say another class
};

struct Stability {
    std::vector<Refit> refits;
    std::vector<RootCount> roots;         ///< most frequent first, equals by text
    std::uint64_t trees = 0;              ///< of all refits
    std::vector<RowFlips> flips;          ///< one a trial of the plan; all rows, on every rank
    std::vector<std::string> base_roots;  ///< of the models of all rows, one a trial of the plan
};

/// Classification only: throws ConfigError for numbers. The same on every rank, for any number of them and either
/// spread. Collective; errors are agreed and name the refit. Memory: 32 bytes a held-out row on every rank.
Stability measure_stability(comm::Communicator& comm, const StabilityRun& run, const Fit& fit);

}  // namespace regrove::dist
