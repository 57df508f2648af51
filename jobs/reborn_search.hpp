// The search for a born-again tree as a job runs it: on all ranks, under the job's limits, with its checkpoints.
#pragma once

#include <string>

#include "regrove/bornagain/reborn.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/dist/host_memo.hpp"
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
    /// `model_hash` says whose checkpoints may be taken up. `share_memo`: the ranks of a host use one memo.
    RebornSearch(pipeline::JobContext& context, const std::string& model_hash, bool share_memo = true);

    /// Whether it goes on from a checkpoint.
    bool resumed() { return search_.checkpoints().resumed() != nullptr; }

    /// Adds to what is known what a memo file holds, if it is there, as far as --memory-limit allows. Throws IoError
    /// when the file could not be written later, FormatError when it is damaged.
    void take_up(const std::string& memo_file);

    /// The same on every rank. Stops in time for the results to be proven and written.
    SearchOutcome run(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                      const bornagain::RebornOptions& options);

    /// Adds what is known to a memo file. A failure is a warning: the results do not depend on it.
    void keep(const std::string& memo_file);

    /// Ends a job whose search was stopped, as an Error: 75 when a checkpoint holds what was done, else 69.
    [[noreturn]] void throw_stopped(const std::string& what_was_written);

  private:
    /// Of --memory-limit, what is for solved sub-problems; zero: no limit.
    std::uint64_t memo_bytes() const;

    pipeline::JobContext& context_;
    dist::HostMemo host_;
    pipeline::CheckpointedReborn search_;
};

}  // namespace regrove::jobs
