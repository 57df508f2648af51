// A stage of a pipeline with its places filled in, its options checked and its job ready to run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regrove/pipeline/invocation.hpp"
#include "regrove/pipeline/pipeline_file.hpp"
#include "regrove/pipeline/run_paths.hpp"

namespace regrove::pipeline {

struct ReadyStage {
    Stage stage;
    std::unique_ptr<Invocation> invocation;
    std::string options_hash;  ///< of what decides the outcome, as written: a moved run directory still matches
    std::string record_path;
    bool overwrite = false;  ///< its outputs lie in the run directory, or the user said so
    bool wanted = true;
};

/// `number` counts stages from one. The places of a stage that is not wanted are not looked up. Throws ConfigError and
/// IoError naming the place in the pipeline's file.
ReadyStage make_ready(Stage stage, std::size_t number, bool wanted, const RunPaths& paths);

/// The stage's settings with ${...} replaced.
std::vector<Setting> expanded_settings(const Stage& stage, const RunPaths& paths);

}  // namespace regrove::pipeline
