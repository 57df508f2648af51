// Boosting as a job runs it: with checkpoints of the trees so far.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "regrove/dist/boosting_keeper.hpp"
#include "regrove/pipeline/job_checkpoints.hpp"

namespace regrove::pipeline {

/// A checkpoint holds the model of all rounds so far and what early stopping and the learning curve have seen. All calls are
/// collective.
class CheckpointedBoosting final : public dist::BoostingKeeper {
  public:
    /// Takes up a checkpoint if there is one; throws as JobCheckpoints does, and FormatError when its texts are damaged.
    CheckpointedBoosting(JobContext& context, store::CheckpointIdentity identity);

    const dist::BoostingState* resumed() const override { return resumed_ ? &*resumed_ : nullptr; }
    bool stop_after(std::uint64_t rounds_grown, const std::function<dist::BoostingState()>& make_state) override;

    /// Whether there is a folder to write to.
    bool given() const { return checkpoints_.given(); }
    [[noreturn]] void throw_stopped(const std::string& what_was_written) const {
        checkpoints_.throw_stopped(what_was_written);
    }

  private:
    JobContext& context_;
    JobCheckpoints checkpoints_;
    std::optional<dist::BoostingState> resumed_;
};

}  // namespace regrove::pipeline
