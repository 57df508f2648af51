// The search for a born-again tree as a job runs it: on all ranks, under the job's limits, with its checkpoints.
#pragma once

#include <string>

#include "regrove/bornagain/reborn.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/pipeline/checkpointed_reborn.hpp"
#include "regrove/pipeline/job.hpp"

namespace regrove::jobs {

struct SearchOutcome {
    bornagain::RebornResult result;
    double seconds = 0;
};

/// All calls are collective.
class RebornSearch {
  public:
    /// `model_hash` says whose checkpoints may be taken up.
    RebornSearch(pipeline::JobContext& context, const std::string& model_hash);

    /// Whether it goes on from a checkpoint.
    bool resumed() { return search_.checkpoints().resumed() != nullptr; }

    /// The same on every rank. Stops in time for the results to be proven and written. `memo_file` (or empty): read
    /// before and written after.
    SearchOutcome run(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                      const bornagain::RebornOptions& options, const std::string& memo_file = "");

    /// Ends a job whose search was stopped, as an Error: 75 when a checkpoint holds what was done, else 69.
    [[noreturn]] void throw_stopped(const std::string& what_was_written);

  private:
    void take_up(const std::string& memo_file);
    void keep(const std::string& memo_file);
    SearchOutcome search(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                         const bornagain::RebornOptions& options);

    pipeline::JobContext& context_;
    bornagain::Memo memo_;
    pipeline::CheckpointedReborn search_;
};

}  // namespace regrove::jobs
