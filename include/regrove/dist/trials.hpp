// Runs many independent trials (fit here, judge there), dealt to the ranks or done by all of them together.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/trial_table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// A learner: rows and a seed to a model. Collective over the communicator.
using Fit = std::function<model::Ensemble(comm::Communicator&, data::TableShard, std::uint64_t)>;

/// The seed of one trial's learner: a pure function, independent of other streams of the seed.
std::uint64_t trial_seed(std::uint64_t seed, std::uint64_t trial);

/// Runs work(trial_comm, trial) for the trials [0, count). By trials: trial t on rank t mod ranks, alone; by rows: each on
/// all ranks. `work` may communicate over trial_comm only. Errors are agreed and begin with `name(trial)`. Shows progress
/// as `what`. Collective.
struct TrialRun {
    TrialSpread spread = TrialSpread::trials;  ///< trials or rows
    std::uint64_t count = 0;
    std::string what;
    std::function<std::string(std::uint64_t)> name;
    std::function<void(comm::Communicator&, std::uint64_t)> work;
};
void run_trials(comm::Communicator& comm, const TrialRun& run);

/// `numbers` has `width` numbers a trial, filled for the trials that ran here; fills in the others'. Collective.
void share_numbers(comm::Communicator& comm, TrialSpread spread, std::size_t width, std::vector<double>& numbers);

}  // namespace regrove::dist
