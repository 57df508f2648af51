// One value given for an option, whatever gave it; later layers beat earlier ones.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/core/option_table.hpp"

namespace regrove::pipeline {

/// A key with its value as text and the place that gave it, for messages.
struct Setting {
    std::string scope;   ///< job or stage that the key was given for; empty when the giver named none
    std::string key;     ///< snake_case
    std::string value;   ///< list values are joined by commas
    std::string origin;  ///< "--max-depth", "--set max_depth=3", "train.toml:3:1"
    bool from_command_line = false;
};

/// Splits the text of `--set`: "max_depth=3" or "train.max_depth=3". Throws UsageError when there is no '='.
Setting parse_set_argument(std::string_view text);

/// Snake case of a key that may be written with dashes.
std::string to_key(std::string_view text);
/// "--max-depth" of the key "max_depth".
std::string to_flag(std::string_view key);

/// The settings that hold after layering: for each option the last one given, in order of the table's entries. Throws
/// UsageError (command line) or ConfigError (file) on a key that the table does not know, naming the nearest.
std::vector<Setting> effective_settings(const OptionTable& table, std::span<const Setting> layered);

/// Throws ConfigError when two settings of one section of a file are the same option, by name or alias.
void refuse_same_option_twice(const OptionTable& table, std::span<const Setting> section);

/// Parses each setting into its option. Throws ConfigError naming origin, value and allowed values.
void apply_settings(const OptionTable& table, std::span<const Setting> settings);

/// The error for an unknown key: names the nearest one, or how to list all.
[[noreturn]] void throw_unknown_key(const OptionTable& table, const Setting& setting);

}  // namespace regrove::pipeline
