// A TOML file as flat sections of settings, each with its place in the file; the only user of the TOML library.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/pipeline/setting.hpp"

namespace regrove::pipeline {

/// The keys directly under one heading. `name` is "" for the top of the file, "train" for [train], "smoke.train" for
/// [smoke.train] and "stage" for each [[stage]]; numbers and booleans are text, arrays are joined by commas.
struct TomlSection {
    std::string name;
    bool repeated = false;  ///< one element of [[name]]
    std::string origin;     ///< "file.toml:3:1"
    std::vector<Setting> settings;
};

/// The sections in the order of the file, the top first (always there). Throws IoError when the file cannot be read,
/// ConfigError naming file:line:column on bad syntax, duplicate keys or values that no option takes (dates, tables).
std::vector<TomlSection> read_toml_sections(const std::string& path);

}  // namespace regrove::pipeline
