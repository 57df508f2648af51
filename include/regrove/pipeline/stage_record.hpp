// What a finished stage was given and what it left behind, kept in the run directory.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "regrove/pipeline/run_paths.hpp"
#include "regrove/pipeline/summary_json.hpp"

namespace regrove::pipeline {

struct StageRecord {
    std::string stage;
    std::string options_hash;
    int results_version = 0;
    std::vector<FileRecord> inputs;   ///< paths as RunPaths::symbolic writes them
    std::vector<FileRecord> outputs;  ///< likewise
    std::vector<std::pair<std::string, std::string>> shown;
    nlohmann::ordered_json summary;
};

void write_record(const StageRecord& record, const std::string& path);

/// nullopt when there is none, or what is there is no record of this version.
std::optional<StageRecord> read_record(const std::string& path);

/// Empty when the record still holds for these options: same results version, and all files there with the same
/// bytes. Otherwise why not, for people.
std::string why_outdated(const StageRecord& record, const std::string& options_hash, const RunPaths& paths);

}  // namespace regrove::pipeline
