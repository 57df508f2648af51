// A job's checkpoints as --checkpoint, --checkpoint-every, --resume, --time-limit and signals ask for them.
#pragma once

#include <memory>
#include <string>

#include "regrove/pipeline/job.hpp"
#include "regrove/store/checkpoint.hpp"

namespace regrove::pipeline {

/// What the ranks have agreed to do at a safe point.
struct SafePoint {
    bool save = false;  ///< write a generation now
    bool stop = false;  ///< then end: save is set too when there is a folder for it
};

/// Made by a job with JobRow::has_checkpoints, whether or not --checkpoint was given. All calls but given() and
/// resumed() are collective.
///
///     JobCheckpoints checkpoints(context, identity);         // identity = context.checkpoint.identity + inputs
///     if (const auto* found = checkpoints.resumed()) restore(*found);
///     while (work()) {
///         const SafePoint point = checkpoints.safe_point();  // one small Allreduce; call it every 10 ms to 10 s
///         if (point.save) checkpoints.save(steps, [&](store::CheckpointWriter& writer) { fill(writer); });
///         if (point.stop) break;                             // write what there is, then:
///     }
///     if (stopped) checkpoints.throw_stopped("...");
class JobCheckpoints {
  public:
    /// Opens the folder, if one was given; throws as store::CheckpointStore does.
    JobCheckpoints(JobContext& context, store::CheckpointIdentity identity);
    ~JobCheckpoints();
    JobCheckpoints(const JobCheckpoints&) = delete;
    JobCheckpoints& operator=(const JobCheckpoints&) = delete;

    /// Whether there is a folder to write to.
    bool given() const;
    /// What to go on from, or null.
    const store::CheckpointGeneration* resumed() const;

    /// Whether it is time for a checkpoint (--checkpoint-every, USR2) or to stop (USR1, time limit, deadline, these with
    /// room for writing one): the same on all ranks.
    SafePoint safe_point();

    /// Writes a generation that `fill` (local, may not communicate) fills. A failure is a warning, but an error when
    /// the last safe_point() said stop. Without a folder it does nothing. Returns whether it was committed.
    bool save(std::uint64_t step, const std::function<void(store::CheckpointWriter&)>& fill);

    /// Ends a job that stopped at a safe point, as an Error: code 75 when a checkpoint holds what was done, else 69.
    [[noreturn]] void throw_stopped(const std::string& what_was_written) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace regrove::pipeline
