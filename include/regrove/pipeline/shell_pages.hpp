// Shell completion and the manual page, generated from the same tables as --help.
#pragma once

#include <span>
#include <string>

#include "regrove/pipeline/job.hpp"

namespace regrove::pipeline {

/// A bash script that completes jobs, flags, the values of choices, and file names.
std::string bash_completion(std::span<const JobRow> jobs);

/// The manual page in man(7) markup.
std::string manual_page(std::span<const JobRow> jobs);

}  // namespace regrove::pipeline
