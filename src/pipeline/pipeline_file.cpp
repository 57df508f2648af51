#include "regrove/pipeline/pipeline_file.hpp"

#include <algorithm>
#include <set>

#include "regrove/core/error.hpp"
#include "regrove/pipeline/invocation.hpp"
#include "regrove/pipeline/runner_options.hpp"
#include "regrove/pipeline/toml_sections.hpp"

namespace regrove::pipeline {

namespace {

constexpr std::string_view k_smoke = "smoke";

/// Stages read the table of their job for key names only, so one Invocation each is kept beside them.
struct OpenStage {
    Stage stage;
    std::unique_ptr<Invocation> invocation;
};

bool may_stand_in_stage(std::string_view key) {
    return !is_runner_option(key) || key == "seed" || key == "overwrite";
}

[[noreturn]] void refuse_session_option(const Setting& setting) {
    throw ConfigError(setting.origin + ": '" + setting.key + "' holds for the whole run; give it to regrove run as " +
                      to_flag(setting.key));
}

class PipelineReader {
  public:
    PipelineReader(std::string path, std::span<const JobRow> jobs) : path_(std::move(path)), jobs_(jobs) {}

    std::vector<Stage> read(bool smoke, std::span<const Setting> overrides) {
        const auto sections = read_toml_sections(path_);
        for (const auto& section : sections) {
            if (section.name == "stage" && section.repeated) add_stage(section);
        }
        if (stages_.empty())
            throw ConfigError(path_ + ": a pipeline needs at least one [[stage]] with job = \"...\"");
        std::vector<Setting> smaller;
        for (const auto& section : sections) read_other_section(section, smaller);
        check_and_merge(smaller, smoke);
        check_and_merge(overrides, true);
        std::vector<Stage> result;
        for (auto& open : stages_) {
            open.stage.settings = effective_settings(open.invocation->table(), open.stage.settings);
            result.push_back(std::move(open.stage));
        }
        return result;
    }

  private:
    void add_stage(const TomlSection& section) {
        Stage stage;
        stage.origin = section.origin;
        for (const auto& setting : section.settings) {
            if (setting.key == "job")
                stage.row = &job_named(setting);
            else if (setting.key == "name")
                stage.name = setting.value;
            else
                stage.settings.push_back(setting);
        }
        if (stage.row == nullptr) throw ConfigError(section.origin + ": a [[stage]] needs job = \"...\"");
        if (stage.name.empty()) stage.name = stage.row->name;
        require_good_name(stage);
        auto invocation = std::make_unique<Invocation>(*stage.row);
        for (const auto& setting : stage.settings) require_known(*invocation, setting);
        refuse_same_option_twice(invocation->table(), stage.settings);
        stages_.push_back({std::move(stage), std::move(invocation)});
    }

    const JobRow& job_named(const Setting& setting) const {
        try {
            const JobRow& row = find_job(jobs_, setting.value);
            if (row.has_stages) throw UsageError("a run may not be a stage of a run");
            return row;
        } catch (const UsageError& error) {
            throw ConfigError(setting.origin + ": " + error.what());
        }
    }

    void require_good_name(const Stage& stage) const {
        const bool plain = std::all_of(stage.name.begin(), stage.name.end(),
                                       [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
        if (!plain)
            throw ConfigError(stage.origin + ": the stage name '" + stage.name +
                              "' may hold letters, digits, - and _");
        for (const auto& other : stages_) {
            if (other.stage.name != stage.name) continue;
            throw ConfigError(stage.origin + ": two stages are called '" + stage.name + "' (the other at " +
                              other.stage.origin + "); give one of them name = \"...\"");
        }
    }

    static void require_known(const Invocation& invocation, const Setting& setting) {
        if (invocation.table().find(setting.key) == nullptr) throw_unknown_key(invocation.table(), setting);
        if (!may_stand_in_stage(setting.key)) refuse_session_option(setting);
    }

    /// The top of the file may hold a title and a seed for all stages; everything else there is a mistake.
    void read_other_section(const TomlSection& section, std::vector<Setting>& smaller) {
        if (section.repeated && section.name == "stage") return;
        const bool smoke = section.name == k_smoke || section.name.starts_with("smoke.");
        if (!section.name.empty() && (!smoke || section.repeated)) {
            throw ConfigError(section.origin + ": unknown section '" + section.name +
                              "'; a pipeline has [[stage]], [smoke] and [smoke.STAGE]");
        }
        for (Setting setting : section.settings) {
            if (smoke) {
                setting.scope = section.name == k_smoke ? "" : section.name.substr(k_smoke.size() + 1);
                smaller.push_back(std::move(setting));
            } else if (setting.key == "seed") {
                for (auto& open : stages_) open.stage.settings.insert(open.stage.settings.begin(), setting);
            } else if (setting.key != "title") {
                throw ConfigError(setting.origin + ": '" + setting.key + "' must stand in a [[stage]]");
            }
        }
    }

    /// Finds each setting's stage; adds it there when `take`. So a [smoke] section is checked in full runs too.
    void check_and_merge(std::span<const Setting> settings, bool take) {
        for (const auto& setting : settings) {
            for (auto* open : stages_of(setting)) {
                if (take) open->stage.settings.push_back(setting);
            }
        }
    }

    /// The stage of this name; without one, the stages of this job; all without a scope.
    std::vector<OpenStage*> stages_in_scope(const std::string& scope) {
        std::vector<OpenStage*> all;
        std::vector<OpenStage*> of_job;
        for (auto& open : stages_) {
            if (open.stage.name == scope) return {&open};
            if (open.stage.row->name == scope) of_job.push_back(&open);
            all.push_back(&open);
        }
        return scope.empty() ? all : of_job;
    }

    std::vector<OpenStage*> stages_of(const Setting& setting) {
        const auto in_scope = stages_in_scope(setting.scope);
        std::vector<OpenStage*> knowing;
        for (auto* open : in_scope) {
            if (open->invocation->table().find(setting.key) != nullptr) knowing.push_back(open);
        }
        if (in_scope.empty())
            throw_error(setting, "no stage or job is called '" + setting.scope + "' here" + stage_names());
        if (knowing.empty()) throw_unknown(setting, in_scope);
        if (!may_stand_in_stage(setting.key)) refuse_session_option(setting);
        if (is_runner_option(setting.key)) return knowing;
        if (knowing.size() > 1) throw_error(setting, ambiguity(setting, knowing));
        return knowing;
    }

    [[noreturn]] void throw_unknown(const Setting& setting, const std::vector<OpenStage*>& in_scope) const {
        if (in_scope.size() == 1) throw_unknown_key(in_scope.front()->invocation->table(), setting);
        throw_error(setting, "no stage knows the option '" + setting.key + "'" + stage_names());
    }

    std::string stage_names() const {
        std::string text = "; the stages are";
        for (const auto& open : stages_) text += " " + open.stage.name;
        return text;
    }

    static std::string ambiguity(const Setting& setting, const std::vector<OpenStage*>& knowing) {
        std::string text = "'" + setting.key + "' belongs to several stages; write one of";
        for (const auto* open : knowing) text += " " + open->stage.name + "." + setting.key;
        return text;
    }

    [[noreturn]] static void throw_error(const Setting& setting, const std::string& message) {
        if (setting.from_command_line) throw UsageError(setting.origin + ": " + message);
        throw ConfigError(setting.origin + ": " + message);
    }

    std::string path_;
    std::span<const JobRow> jobs_;
    std::vector<OpenStage> stages_;
};

}  // namespace

std::vector<Stage> read_pipeline(const std::string& path, std::span<const JobRow> jobs, bool smoke,
                                 std::span<const Setting> overrides) {
    return PipelineReader(path, jobs).read(smoke, overrides);
}

}  // namespace regrove::pipeline
