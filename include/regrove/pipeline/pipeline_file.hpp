// A pipeline file: its stages with the options of each, after smoke sizes and command-line settings.
//
// Glossary of runs:
//   pipeline       a TOML file with one [[stage]] per job to run, in order
//   stage          one job with its options; named by `name`, else by its job
//   run directory  where a run of a pipeline keeps its outputs, records and lock; ${run} in the file
//   record         what a finished stage was given and left behind; a later run skips stages whose record still holds
#pragma once

#include <span>
#include <string>
#include <vector>

#include "regrove/pipeline/job.hpp"
#include "regrove/pipeline/setting.hpp"

namespace regrove::pipeline {

struct Stage {
    std::string name;
    const JobRow* row = nullptr;
    std::vector<Setting> settings;  ///< each option once, in table order, ${...} not yet replaced
    std::string origin;             ///< "file.toml:3:1"
};

/// Reads the stages of the pipeline at `path`. With `smoke`, the [smoke] section and [smoke.NAME] sections beat the
/// stages' own options; `overrides` beat both. A scope names a stage, else a job; a key without scope must be known
/// to the job of exactly one stage, except runner options (seed), which then hold for all. Throws IoError and
/// ConfigError.
std::vector<Stage> read_pipeline(const std::string& path, std::span<const JobRow> jobs, bool smoke,
                                 std::span<const Setting> overrides);

}  // namespace regrove::pipeline
