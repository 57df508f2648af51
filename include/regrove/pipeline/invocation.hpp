// One job with its options filled in from the configuration file, --set and flags.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "regrove/pipeline/checkpoint_options.hpp"
#include "regrove/pipeline/job.hpp"
#include "regrove/pipeline/runner_options.hpp"
#include "regrove/pipeline/setting.hpp"

namespace regrove::pipeline {

/// Owns the job and the values that its option table refers to; so it does not move.
class Invocation {
  public:
    explicit Invocation(const JobRow& row);
    Invocation(const Invocation&) = delete;
    Invocation& operator=(const Invocation&) = delete;

    /// Reads the words behind `regrove JOB`. Throws UsageError or ConfigError. False when help was asked for instead.
    bool read_command_line(std::span<const std::string> words, std::span<const JobRow> all_jobs);
    /// Takes settings as they are, the later beating the earlier (a stage of a run).
    void read_settings(std::span<const Setting> layered);

    const JobRow& row() const { return row_; }
    Job& job() { return *job_; }
    const OptionTable& table() const { return table_; }
    const RunnerOptions& runner() const { return runner_; }
    /// What the options and the job say of its checkpoints; empty for a job that has none.
    CheckpointRequest checkpoint_request() const;
    /// Name and text of the options of checkpoints, which must be the same on all ranks.
    std::vector<std::pair<std::string, std::string>> checkpoint_facts() const;
    const std::vector<Setting>& stage_settings() const { return stage_settings_; }
    /// Whether the result itself goes to standard output (`--output -`).
    bool writes_to_standard_output() const;
    /// Name and text of every option that the result depends on.
    std::vector<std::pair<std::string, std::string>> result_options() const;

  private:
    std::vector<Setting> settings_of_file(const std::string& path, std::span<const JobRow> all_jobs) const;
    std::vector<Setting> settings_of_set(std::span<const Setting> flags) const;

    const JobRow& row_;
    std::unique_ptr<Job> job_;
    RunnerOptions runner_;
    CheckpointOptions checkpoint_;
    OptionTable table_;
    std::vector<Setting> stage_settings_;
};

/// The job of this name; throws UsageError naming the nearest.
const JobRow& find_job(std::span<const JobRow> jobs, const std::string& name);

}  // namespace regrove::pipeline
