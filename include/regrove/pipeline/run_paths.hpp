// The places that a pipeline file may name: ${run}, ${data} and ${config}.
#pragma once

#include <string>

namespace regrove::pipeline {

class RunPaths {
  public:
    /// `data_folder` empty: $REGROVE_DATA is not set.
    RunPaths(std::string run_folder, std::string config_folder, std::string data_folder);

    /// `text` with each ${name} replaced. Throws ConfigError, beginning with `origin`, on other names, an unset
    /// $REGROVE_DATA, and files under ${data} or ${config} that do not exist.
    std::string expand(const std::string& text, const std::string& origin) const;
    /// The inverse for a path: "${run}/model.json" when it lies in one of the folders, so that records survive a
    /// move.
    std::string symbolic(const std::string& path) const;
    const std::string& run_folder() const { return run_; }
    bool is_in_run_folder(const std::string& path) const;

  private:
    const std::string& folder_named(const std::string& name, const std::string& origin) const;
    void require_existing(const std::string& text, const std::string& expanded, const std::string& origin) const;

    std::string run_;
    std::string config_;
    std::string data_;
};

}  // namespace regrove::pipeline
