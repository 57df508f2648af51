#include "regrove/pipeline/runner_options.hpp"

#include <algorithm>
#include <limits>

#include "regrove/core/error.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::uint32_t k_most_threads = 4096;

const std::vector<std::string>& runner_option_names() {
    static const std::vector<std::string> names = [] {
        RunnerOptions options;
        OptionTable table;
        list_options(options, table);
        std::vector<std::string> result;
        for (const auto& entry : table.entries()) result.push_back(entry.name);
        return result;
    }();
    return names;
}

}  // namespace

void list_options(RunnerOptions& options, OptionTable& table) {
    table
        .add("config", options.config, "options from a TOML file, at its top or under [JOB]; flags and --set beat it")
        .value_name("FILE.toml")
        .no_result();
    table.add("set", options.set, "one option as KEY=VALUE or JOB.KEY=VALUE").value_name("KEY=VALUE").no_result();
    table.add("seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max(), "seed of all random numbers");
    table
        .add("threads", options.threads, 0, k_most_threads,
             "threads of each rank; 0: as many as the process may use, shared among the ranks of a host")
        .no_result();
    table.add("overwrite", options.overwrite, "replace outputs that exist").no_result();
    table.add("summary", options.summary, "write a machine-readable account of the job to this file")
        .value_name("FILE.json")
        .no_result();
    table
        .add("memory_limit", options.memory_limit,
             "memory of each rank, such as 4GiB; past it the job ends with code 69")
        .value_name("SIZE|none")
        .no_result();
    table
        .add("time_limit", options.time_limit,
             "wall time, such as 90, 15m or 1-00:00:00; past it the job ends with code "
             "69, a run and a job with --checkpoint with code 75")
        .value_name("TIME|none")
        .no_result();
    table
        .add("progress", options.progress,
             Choices<ProgressMode>{
                 {"auto", ProgressMode::automatic}, {"on", ProgressMode::on}, {"off", ProgressMode::off}},
             "show how far long work has come")
        .no_result();
    table
        .add("log_level", options.log_level,
             Choices<log::Level>{{"quiet", log::Level::quiet},
                                 {"error", log::Level::error},
                                 {"warning", log::Level::warning},
                                 {"info", log::Level::info},
                                 {"debug", log::Level::debug}},
             "what to say on standard error; -q is error (and no closing table), -v is debug")
        .no_result();
}

bool is_runner_option(std::string_view name) {
    const auto& names = runner_option_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_command_line_only(std::string_view name) { return name == "config" || name == "set"; }

std::uint64_t memory_limit_bytes(const RunnerOptions& options) {
    if (options.memory_limit == "none") return 0;
    const auto bytes = parse_size_bytes(options.memory_limit);
    if (bytes && *bytes > 0) return *bytes;
    throw ConfigError("memory_limit takes a size such as 512MiB or 4GiB, or none, not '" + options.memory_limit +
                      "'");
}

std::optional<double> time_limit_seconds(const RunnerOptions& options) {
    if (options.time_limit == "none") return std::nullopt;
    const auto seconds = parse_duration_seconds(options.time_limit);
    if (seconds && *seconds > 0) return seconds;
    throw ConfigError("time_limit takes a time such as 90, 15m or 1-00:00:00, or none, not '" + options.time_limit +
                      "'");
}

}  // namespace regrove::pipeline
