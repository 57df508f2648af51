#include "regrove/pipeline/ready_stage.hpp"

#include <algorithm>

#include "regrove/core/error.hpp"
#include "regrove/core/hash.hpp"

namespace regrove::pipeline {

namespace {

std::string hash_options(const Stage& stage, const Invocation& invocation) {
    Hasher hasher;
    hasher.update_field(stage.row->name);
    for (const auto& entry : invocation.table().entries()) {
        if (is_runner_option(entry.name) && entry.name != "seed") continue;
        if (stage.row->has_checkpoints && is_checkpoint_option(entry.name)) continue;
        const auto given = std::find_if(stage.settings.begin(), stage.settings.end(),
                                        [&](const Setting& setting) { return setting.key == entry.name; });
        if (given == stage.settings.end() && !entry.affects_result) continue;
        const bool names_place = given != stage.settings.end() && given->value.find("${") != std::string::npos;
        hasher.update_field(entry.name);
        hasher.update_field(names_place ? given->value : entry.text());
    }
    return to_hex(hasher.digest());
}

bool outputs_are_in_run_folder(const Stage& stage) {
    return std::none_of(stage.settings.begin(), stage.settings.end(), [](const Setting& setting) {
        return setting.key.find("output") != std::string::npos && !setting.value.starts_with("${run}/");
    });
}

std::string two_digits(std::size_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

std::vector<Setting> expanded_settings(const Stage& stage, const RunPaths& paths) {
    std::vector<Setting> settings = stage.settings;
    for (auto& setting : settings) setting.value = paths.expand(setting.value, setting.origin);
    return settings;
}

ReadyStage make_ready(Stage stage, std::size_t number, bool wanted, const RunPaths& paths) {
    ReadyStage ready;
    ready.wanted = wanted;
    ready.record_path = paths.run_folder() + "/stages/" + two_digits(number) + "-" + stage.name + ".json";
    ready.invocation = std::make_unique<Invocation>(*stage.row);
    ready.invocation->read_settings(wanted ? expanded_settings(stage, paths) : stage.settings);
    if (ready.invocation->writes_to_standard_output()) {
        throw ConfigError(stage.origin + ": stage '" + stage.name +
                          "' must write to a file, such as output = \"${run}/" + stage.name + "\"");
    }
    ready.options_hash = hash_options(stage, *ready.invocation);
    ready.overwrite = ready.invocation->runner().overwrite || outputs_are_in_run_folder(stage);
    ready.stage = std::move(stage);
    return ready;
}

}  // namespace regrove::pipeline
