// Runs the stages of a pipeline in one run directory, skipping those whose record still holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "regrove/core/option_table.hpp"
#include "regrove/pipeline/job.hpp"

namespace regrove::pipeline {

struct RunOptions {
    std::string pipeline;            ///< the TOML file
    std::string dir;                 ///< run directory; empty: the pipeline's name with ".run", in the current folder
    std::vector<std::string> stage;  ///< only these stages, by name; empty: all
    bool smoke = false;
};

void list_options(RunOptions& options, OptionTable& table);

/// Collective. Throws what a stage throws; a stop request ends it between stages with an Error of code 75.
void run_pipeline(JobContext& context, const RunOptions& options, std::span<const JobRow> jobs);

}  // namespace regrove::pipeline
