// Forests as a job grows them: with checkpoints of the trees so far.
#pragma once

#include <optional>
#include <string>

#include "regrove/dist/forest_keeper.hpp"
#include "regrove/pipeline/job_checkpoints.hpp"

namespace regrove::pipeline {

/// A checkpoint holds the forest of the trees so far. All calls are collective.
class CheckpointedForest final : public dist::ForestKeeper {
  public:
    /// Takes up a checkpoint if there is one; throws as JobCheckpoints does, and FormatError when it holds no forest.
    CheckpointedForest(JobContext& context, store::CheckpointIdentity identity);

    const model::Ensemble* resumed() const override { return resumed_ ? &*resumed_ : nullptr; }
    bool stop_after(std::uint64_t trees, const std::function<model::Ensemble()>& make_forest) override;

    [[noreturn]] void throw_stopped() const { checkpoints_.throw_stopped(""); }

  private:
    JobContext& context_;
    JobCheckpoints checkpoints_;
    std::optional<model::Ensemble> resumed_;
};

}  // namespace regrove::pipeline
