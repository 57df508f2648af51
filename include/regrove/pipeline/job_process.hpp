// One job from the command line on all ranks of this process group: parse, handshake, run, account, and the way out.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "regrove/pipeline/job.hpp"

namespace regrove::pipeline {

/// Runs the job of `row` with the words behind its name and returns the exit code, the same on all ranks. Does not
/// throw.
int run_job_process(const JobRow& row, std::span<const std::string> words, std::span<const JobRow> all_jobs);

}  // namespace regrove::pipeline
