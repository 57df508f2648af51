// Three options, and what they mean together.
#include "regrove/pipeline/checkpoint_options.hpp"

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::pipeline {

void list_options(CheckpointOptions& options, OptionTable& table) {
    table
        .add("checkpoint", options.folder,
             "folder for checkpoints, from which the same command goes on after a stop or a crash, on any number of "
             "ranks")
        .value_name("DIR")
        .no_result();
    table
        .add("checkpoint_every", options.every,
             "time between checkpoints, such as 600, 10m or 1:00:00; 0: only when the job stops or ends")
        .value_name("TIME")
        .no_result();
    table
        .add("resume", options.resume,
             Choices<store::ResumeMode>{{"auto", store::ResumeMode::automatic},
                                        {"require", store::ResumeMode::require},
                                        {"never", store::ResumeMode::never}},
             "auto: go on from a checkpoint when there is one; require: end with code 66 when there is none; never: "
             "end "
             "with code 73 when there is one, unless --overwrite drops it")
        .no_result();
}

bool is_checkpoint_option(std::string_view name) {
    return name == "checkpoint" || name == "checkpoint_every" || name == "resume";
}

double checkpoint_every_seconds(const CheckpointOptions& options) {
    const auto seconds = parse_duration_seconds(options.every);
    if (seconds && *seconds >= 0) return *seconds;
    throw ConfigError("checkpoint_every takes a time such as 600, 10m or 1:00:00, or 0, not '" + options.every + "'");
}

void require_folder_if_needed(const CheckpointOptions& options) {
    if (options.folder.empty() && options.resume == store::ResumeMode::require)
        throw ConfigError("--resume require needs --checkpoint DIR: where is the checkpoint?");
}

void adopt_runner(CheckpointRequest& stage, const CheckpointRequest& run) {
    stage.seconds_left = run.seconds_left;
    stage.requests = run.requests;
    stage.opened = run.opened;
    stage.saved = run.saved;
}

}  // namespace regrove::pipeline
