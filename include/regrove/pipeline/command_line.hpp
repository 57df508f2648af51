// The words behind `regrove JOB` as settings; the parser is built from the job's option table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "regrove/core/option_table.hpp"
#include "regrove/pipeline/setting.hpp"

namespace regrove::pipeline {

struct CommandLine {
    std::vector<Setting> flags;  ///< each option at most once
    bool help = false;
};

/// `positionals` are names of options whose flag may be left out, in order. Throws UsageError on unknown flags
/// (naming the nearest), missing values, options given twice and words that belong to nothing.
CommandLine parse_command_line(const OptionTable& table, std::span<const std::string> positionals,
                               std::span<const std::string> words);

}  // namespace regrove::pipeline
