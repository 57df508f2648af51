// What a job is to the runner: a row of the job table, its options, and one function.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/pipeline/setting.hpp"
#include "regrove/pipeline/summary.hpp"
#include "regrove/store/checkpoint_identity.hpp"

namespace regrove::pipeline {

/// When a job starts MPI.
enum class MpiUse : std::uint8_t {
    never,          ///< file-only: draw, help
    when_launched,  ///< only under a launcher; alone it runs on a self communicator
};

/// What checkpoints a job is asked to write (pipeline/job_checkpoints.hpp acts on it).
struct CheckpointRequest {
    std::string folder;          ///< --checkpoint; empty: none
    double every_seconds = 600;  ///< --checkpoint-every; zero: only when it stops or ends
    store::ResumeMode resume = store::ResumeMode::automatic;  ///< --resume
    store::CheckpointIdentity identity;                       ///< job and result options; the job adds its inputs
    /// How long the job may still work before it writes its last checkpoint, infinite for as long as it likes. From
    /// --time-limit and SLURM_JOB_END_TIME, with a reserve taken off.
    std::function<double()> seconds_left = [] { return std::numeric_limits<double>::infinity(); };
    /// How often USR2 has asked for a checkpoint.
    std::function<std::uint64_t()> requests = [] { return std::uint64_t{0}; };
    /// Checkpoints of other options or inputs are dropped with a warning: the folder belongs to a run's stage.
    bool drop_other = false;
    /// To the runner: from now on the job ends at safe points; a checkpoint of it is on disk.
    std::function<void()> opened = [] {};
    std::function<void()> saved = [] {};
    /// As store::CheckpointPlace::on_step.
    std::function<void(std::string_view)> on_step = {};
};

/// What the runner hands to a job.
struct JobContext {
    comm::Communicator& comm;
    Summary& summary;
    std::uint64_t seed = 0;
    unsigned threads = 1;
    bool overwrite = false;
    std::uint64_t memory_limit_bytes = 0;  ///< a rank; zero: no limit
    /// Whether a signal (USR1) or the time limit asked to end at the next safe point. Ranks may see it at different
    /// times.
    std::function<bool()> stop_requested = [] { return false; };
    /// For a job with stages (JobRow::has_stages): `--set` and the explicit runner options, which beat the pipeline's
    /// file.
    std::vector<Setting> stage_settings = {};
    CheckpointRequest checkpoint = {};
};

class Job {
  public:
    virtual ~Job() = default;
    /// Names the job's own options; common ones are the runner's.
    virtual void list_options(OptionTable& table) = 0;
    /// Runs on every rank; throws the same error on every rank. Prints a short table for people on rank 0 through
    /// `context.summary.show`.
    virtual void run(JobContext& context) = 0;
};

struct JobRow {
    std::string name;
    std::string purpose;  ///< one line for `regrove --help`
    std::string group;    ///< heading in `regrove --help`: "data", "models", "runs"
    std::string example;  ///< one command line
    MpiUse mpi = MpiUse::when_launched;
    std::function<std::unique_ptr<Job>()> make;
    /// Names that may stand without a flag, in order (e.g. `run PIPELINE.toml`).
    std::vector<std::string> positionals = {};
    /// The job runs other jobs: `--set` names their options, and its configuration file is a positional of its own.
    bool has_stages = false;
    /// The job writes checkpoints (pipeline/job_checkpoints.hpp): it takes --checkpoint, --checkpoint-every and
    /// --resume, and ends with code 75 at --time-limit when it has a folder for them.
    bool has_checkpoints = false;
};

}  // namespace regrove::pipeline
