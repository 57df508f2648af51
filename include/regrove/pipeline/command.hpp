// The whole command: from the words of the command line to the exit code.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "regrove/pipeline/job.hpp"

namespace regrove::pipeline {

/// Runs `regrove WORDS...`; `words` do not hold the program's name. Starts MPI only for a job that wants it and only
/// under a launcher. Does not throw.
int run_command(const std::vector<std::string>& words, std::span<const JobRow> jobs);

}  // namespace regrove::pipeline
