// The options of a job's checkpoints.
#pragma once

#include <string>
#include <string_view>

#include "regrove/core/option_table.hpp"
#include "regrove/pipeline/job.hpp"

namespace regrove::pipeline {

struct CheckpointOptions {
    std::string folder;
    std::string every = "10m";
    store::ResumeMode resume = store::ResumeMode::automatic;
};

/// --checkpoint, --checkpoint-every and --resume, after the own options of a job with JobRow::has_checkpoints.
void list_options(CheckpointOptions& options, OptionTable& table);
/// True for the names that list_options adds.
bool is_checkpoint_option(std::string_view name);

/// Throws ConfigError.
double checkpoint_every_seconds(const CheckpointOptions& options);
/// Throws ConfigError when the other options ask for what needs --checkpoint.
void require_folder_if_needed(const CheckpointOptions& options);

/// Takes what the runner of a whole run knows over to one of its stages.
void adopt_runner(CheckpointRequest& stage, const CheckpointRequest& run);

}  // namespace regrove::pipeline
