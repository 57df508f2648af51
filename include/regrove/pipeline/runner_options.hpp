// The options that the runner itself gives to every job.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/core/log.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/core/progress.hpp"

namespace regrove::pipeline {

struct RunnerOptions {
    std::string config;
    std::vector<std::string> set;
    std::uint64_t seed = 0;
    std::uint32_t threads = 0;
    bool overwrite = false;
    std::string summary;
    std::string memory_limit = "none";
    std::string time_limit = "none";
    ProgressMode progress = ProgressMode::automatic;
    log::Level log_level = log::Level::info;
};

/// Names the runner's options, after the job's own.
void list_options(RunnerOptions& options, OptionTable& table);

/// True for the names that list_options adds.
bool is_runner_option(std::string_view name);
/// True for those that a configuration file may not hold: they say which file that is, or what beats it.
bool is_command_line_only(std::string_view name);

/// Bytes of `memory_limit`, zero for "none". Throws ConfigError.
std::uint64_t memory_limit_bytes(const RunnerOptions& options);
/// Seconds of `time_limit`, nullopt for "none". Throws ConfigError.
std::optional<double> time_limit_seconds(const RunnerOptions& options);

}  // namespace regrove::pipeline
