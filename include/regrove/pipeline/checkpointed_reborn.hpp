// A born-again search as a job runs it: on all ranks, with checkpoints of what it has proven.
#pragma once

#include <memory>
#include <vector>

#include "regrove/bornagain/reborn.hpp"
#include "regrove/dist/shared_memo.hpp"
#include "regrove/pipeline/job_checkpoints.hpp"

namespace regrove::pipeline {

/// The checkpoint holds proven bounds of sub-problems, which any objective of any ensemble may use; it is bound to the
/// ensemble only so that nobody waits for a search that is not theirs. All calls are collective.
class CheckpointedReborn {
  public:
    /// Takes up a checkpoint if there is one; throws as JobCheckpoints does. `memo` must outlive it.
    CheckpointedReborn(JobContext& context, store::CheckpointIdentity identity, dist::HostMemo& host);

    /// The same on every rank. Ends early at a safe point that says stop, when `reserve_seconds` are left, or when a
    /// rank's memo comes to `memory_bytes`.
    bornagain::RebornResult run(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                                const bornagain::RebornOptions& options, std::uint64_t memory_bytes,
                                double reserve_seconds);

    JobCheckpoints& checkpoints() { return checkpoints_; }

  private:
    /// `is_last`: not when nothing is new since this run's last.
    void save(bool is_last);

    JobContext& context_;
    JobCheckpoints checkpoints_;
    dist::HostMemo& host_;
    bornagain::Memo& memo_;
    std::unique_ptr<dist::SharedMemo> shared_;
    std::vector<bornagain::MemoEntry> pending_;  ///< not in a committed generation yet
    bool saved_ = false;                         ///< whether this run has committed a generation
};

}  // namespace regrove::pipeline
