#include "regrove/pipeline/setting.hpp"

#include <algorithm>
#include <map>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {

namespace {

std::string replaced(std::string_view text, char from, char to) {
    std::string result(text);
    std::replace(result.begin(), result.end(), from, to);
    return result;
}

/// Allowed values of an entry, as a clause for an error message.
std::string allowed_text(const OptionEntry& entry) {
    std::string text = " (takes " + (entry.value_name.empty() ? std::string("a value") : entry.value_name);
    if (!entry.bounds.empty()) text += ", " + entry.bounds;
    return text + ")";
}

}  // namespace

std::string to_key(std::string_view text) { return replaced(text, '-', '_'); }
std::string to_flag(std::string_view key) { return "--" + replaced(key, '_', '-'); }

Setting parse_set_argument(std::string_view text) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) {
        throw UsageError("--set takes KEY=VALUE or JOB.KEY=VALUE, not '" + std::string(text) + "'");
    }
    const auto name = text.substr(0, equals);
    const auto dot = name.find('.');
    Setting setting;
    if (dot != std::string_view::npos) setting.scope = name.substr(0, dot);
    setting.key = to_key(dot == std::string_view::npos ? name : name.substr(dot + 1));
    setting.value = text.substr(equals + 1);
    setting.origin = "--set " + std::string(text);
    setting.from_command_line = true;
    return setting;
}

void throw_unknown_key(const OptionTable& table, const Setting& setting) {
    const auto shown = [&](std::string_view key) {
        return setting.origin.starts_with("--set") || !setting.from_command_line ? std::string(key) : to_flag(key);
    };
    const bool is_word = setting.origin.starts_with(to_flag(setting.key));
    std::string message = (is_word ? "" : setting.origin + ": ") + "unknown option '" + shown(setting.key) + "'";
    if (const auto nearest = table.nearest(setting.key); !nearest.empty()) {
        message += "; did you mean '" + shown(nearest) + "'";
        if (const auto* entry = table.find(nearest)) message += allowed_text(*entry);
        message += "?";
    }
    if (setting.from_command_line) throw UsageError(message);
    throw ConfigError(message);
}

std::vector<Setting> effective_settings(const OptionTable& table, std::span<const Setting> layered) {
    std::map<const OptionEntry*, const Setting*> last;
    for (const auto& setting : layered) {
        const auto* entry = table.find(setting.key);
        if (entry == nullptr) throw_unknown_key(table, setting);
        last[entry] = &setting;
    }
    std::vector<Setting> result;
    for (const auto& entry : table.entries()) {
        if (const auto found = last.find(&entry); found != last.end()) {
            result.push_back(*found->second);
            result.back().key = entry.name;
        }
    }
    return result;
}

void refuse_same_option_twice(const OptionTable& table, std::span<const Setting> section) {
    std::map<const OptionEntry*, const Setting*> first;
    for (const auto& setting : section) {
        const auto* entry = table.find(setting.key);
        if (entry == nullptr) continue;
        const auto [found, added] = first.emplace(entry, &setting);
        if (added) continue;
        throw ConfigError(setting.origin + ": '" + setting.key + "' and '" + found->second->key + "' (" +
                          found->second->origin + ") are the same option; give it once");
    }
}

void apply_settings(const OptionTable& table, std::span<const Setting> settings) {
    for (const auto& setting : settings) {
        const auto* entry = table.find(setting.key);
        if (entry == nullptr) throw_unknown_key(table, setting);
        try {
            entry->parse(setting.value);
        } catch (const ConfigError& error) {
            const std::string message = error.what();
            throw ConfigError(message.starts_with(setting.origin) ? message : setting.origin + ": " + message);
        }
    }
}

}  // namespace regrove::pipeline
