#include "regrove/pipeline/invocation.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"
#include "regrove/core/nearest_name.hpp"
#include "regrove/pipeline/command_line.hpp"
#include "regrove/pipeline/toml_sections.hpp"

namespace regrove::pipeline {

namespace {

std::string nearest_job(std::span<const JobRow> jobs, const std::string& asked) {
    std::vector<std::string> names;
    for (const auto& job : jobs) names.push_back(job.name);
    return nearest_name(asked, names);
}

bool is_job(std::span<const JobRow> jobs, const std::string& name) {
    return std::any_of(jobs.begin(), jobs.end(), [&](const JobRow& job) { return job.name == name; });
}

/// A configuration file has its top and one section a job.
void require_known_section(const TomlSection& section, std::span<const JobRow> jobs, const std::string& path) {
    if (!section.repeated && (section.name.empty() || is_job(jobs, section.name))) return;
    std::string message = section.origin + ": unknown section '" + section.name + "'";
    const auto nearest = nearest_job(jobs, section.name);
    if (section.name == "stage") {
        message += "; this is the file of a pipeline: regrove run " + path;
    } else if (!nearest.empty()) {
        message += "; did you mean [" + nearest + "]?";
    }
    throw ConfigError(message);
}

}  // namespace

const JobRow& find_job(std::span<const JobRow> jobs, const std::string& name) {
    for (const auto& job : jobs) {
        if (job.name == name) return job;
    }
    std::string message = "unknown job '" + name + "'";
    if (const auto nearest = nearest_job(jobs, name); !nearest.empty())
        message += "; did you mean '" + nearest + "'?";
    throw UsageError(message);
}

Invocation::Invocation(const JobRow& row) : row_(row), job_(row.make()) {
    job_->list_options(table_);
    if (row.has_checkpoints) list_options(checkpoint_, table_);
    list_options(runner_, table_);
}

bool Invocation::read_command_line(std::span<const std::string> words, std::span<const JobRow> all_jobs) {
    const CommandLine line = parse_command_line(table_, row_.positionals, words);
    if (line.help) return false;
    std::vector<Setting> layered;
    for (const auto& flag : line.flags) {
        if (flag.key != "config") continue;
        if (row_.has_stages)
            throw UsageError("--config: '" + row_.name + "' takes its file as " + row_.positionals.at(0));
        layered = settings_of_file(flag.value, all_jobs);
    }
    for (auto& setting : settings_of_set(line.flags)) {
        (row_.has_stages ? stage_settings_ : layered).push_back(std::move(setting));
    }
    for (const auto& flag : line.flags) {
        if (flag.key == "set") continue;
        if (row_.has_stages && (flag.key == "seed" || flag.key == "overwrite")) stage_settings_.push_back(flag);
        layered.push_back(flag);
    }
    read_settings(layered);
    return true;
}

void Invocation::read_settings(std::span<const Setting> layered) {
    apply_settings(table_, effective_settings(table_, layered));
    memory_limit_bytes(runner_);
    time_limit_seconds(runner_);
    checkpoint_every_seconds(checkpoint_);
    require_folder_if_needed(checkpoint_);
}

CheckpointRequest Invocation::checkpoint_request() const {
    CheckpointRequest request;
    if (!row_.has_checkpoints) return request;
    request.folder = checkpoint_.folder;
    request.every_seconds = checkpoint_every_seconds(checkpoint_);
    request.resume = checkpoint_.resume;
    request.identity = {row_.name, 1, result_options(), {}};
    return request;
}

std::vector<Setting> Invocation::settings_of_set(std::span<const Setting> flags) const {
    std::vector<Setting> settings;
    for (const auto& flag : flags) {
        if (flag.key != "set") continue;
        Setting setting = parse_set_argument(flag.value);
        if (!row_.has_stages && !setting.scope.empty() && setting.scope != row_.name) {
            throw UsageError(setting.origin + ": the job is '" + row_.name + "', not '" + setting.scope + "'");
        }
        if (is_command_line_only(setting.key)) throw UsageError(setting.origin + ": give this as a flag");
        settings.push_back(std::move(setting));
    }
    return settings;
}

std::vector<Setting> Invocation::settings_of_file(const std::string& path, std::span<const JobRow> all_jobs) const {
    const auto sections = read_toml_sections(path);
    std::vector<Setting> settings;
    for (const auto& section : sections) {
        require_known_section(section, all_jobs, path);
        if (!section.name.empty() && section.name != row_.name) continue;
        refuse_same_option_twice(table_, section.settings);
        for (const auto& setting : section.settings) {
            if (is_command_line_only(setting.key))
                throw ConfigError(setting.origin + ": '" + setting.key + "' is for the command line");
            if (section.name.empty() && sections.size() > 1 && !is_runner_option(setting.key)) {
                throw ConfigError(setting.origin + ": the file has sections of jobs, so '" + setting.key +
                                  "' must stand in one of them, such as [" + row_.name + "]");
            }
            settings.push_back(setting);
        }
    }
    return settings;
}

std::vector<std::pair<std::string, std::string>> Invocation::checkpoint_facts() const {
    std::vector<std::pair<std::string, std::string>> facts;
    for (const auto& entry : table_.entries()) {
        if (row_.has_checkpoints && is_checkpoint_option(entry.name))
            facts.emplace_back(to_flag(entry.name), entry.text());
    }
    return facts;
}

bool Invocation::writes_to_standard_output() const {
    const auto* output = table_.find("output");
    return output != nullptr && output->text() == "-";
}

std::vector<std::pair<std::string, std::string>> Invocation::result_options() const {
    std::vector<std::pair<std::string, std::string>> options;
    for (const auto& entry : table_.entries()) {
        if (entry.affects_result) options.emplace_back(entry.name, entry.text());
    }
    return options;
}

}  // namespace regrove::pipeline
