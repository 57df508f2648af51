// What `regrove --help` and `regrove JOB --help` print, from the job table and the option tables.
#pragma once

#include <span>
#include <string>

#include "regrove/pipeline/job.hpp"

namespace regrove::pipeline {

/// The jobs by what they are for.
std::string overview_text(std::span<const JobRow> jobs);
/// Every option of one job with default, bounds and an example.
std::string job_help_text(const JobRow& row);

/// "--max-depth N", "-o, --output FILE, --out FILE"...: how an option is written.
std::string option_spelling(const OptionEntry& entry);
/// Default, bounds and other names of an option, for the end of its help line; may be empty.
std::string option_facts(const OptionEntry& entry);

}  // namespace regrove::pipeline
