#include "regrove/pipeline/run_paths.hpp"

#include <filesystem>
#include <utility>
#include <vector>

#include "regrove/core/error.hpp"
#include "regrove/core/option_table.hpp"

namespace regrove::pipeline {

namespace {

/// Whether `path` lies below `folder`; both as they are written.
bool lies_below(const std::string& path, const std::string& folder) {
    return !folder.empty() && path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

std::string without_last_slash(std::string folder) {
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    return folder;
}

}  // namespace

RunPaths::RunPaths(std::string run_folder, std::string config_folder, std::string data_folder)
    : run_(without_last_slash(std::move(run_folder))),
      config_(without_last_slash(std::move(config_folder))),
      data_(without_last_slash(std::move(data_folder))) {}

const std::string& RunPaths::folder_named(const std::string& name, const std::string& origin) const {
    if (name == "run") return run_;
    if (name == "config") return config_;
    if (name != "data")
        throw ConfigError(origin + ": unknown place ${" + name + "}; there are ${run}, ${data} and ${config}");
    if (data_.empty()) {
        throw ConfigError(origin +
                          ": ${data} is the folder named by the environment variable REGROVE_DATA, which is not set");
    }
    return data_;
}

std::string RunPaths::expand(const std::string& text, const std::string& origin) const {
    std::string result;
    std::size_t begin = 0;
    for (auto open = text.find("${"); open != std::string::npos; open = text.find("${", begin)) {
        const auto close = text.find('}', open);
        if (close == std::string::npos) throw ConfigError(origin + ": '${' without '}' in '" + text + "'");
        result.append(text, begin, open - begin);
        result += folder_named(text.substr(open + 2, close - open - 2), origin);
        begin = close + 1;
    }
    result.append(text, begin);
    require_existing(text, result, origin);
    return result;
}

void RunPaths::require_existing(const std::string& text, const std::string& expanded,
                                const std::string& origin) const {
    const auto written = split_list(text);
    const auto paths = split_list(expanded);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (!written[i].starts_with("${data}") && !written[i].starts_with("${config}")) continue;
        if (std::filesystem::exists(paths[i])) continue;
        throw IoError(origin + ": there is no file '" + paths[i] + "' (" + written[i] + ")");
    }
}

std::string RunPaths::symbolic(const std::string& path) const {
    for (const auto& [folder, name] : {std::pair{&run_, "${run}"}, {&data_, "${data}"}, {&config_, "${config}"}}) {
        if (lies_below(path, *folder)) return name + path.substr(folder->size());
    }
    return path;
}

bool RunPaths::is_in_run_folder(const std::string& path) const { return lies_below(path, run_); }

}  // namespace regrove::pipeline
