#include "regrove/pipeline/stage_record.hpp"

#include <filesystem>
#include <fstream>

#include "regrove/core/version.hpp"

namespace regrove::pipeline {

namespace {

using Json = nlohmann::ordered_json;

constexpr int k_record_schema = 1;

Json to_json(const std::vector<FileRecord>& files) {
    Json list = Json::array();
    for (const auto& file : files)
        list.push_back({{"path", file.path}, {"bytes", file.bytes}, {"xxh3_128", file.hash}});
    return list;
}

std::vector<FileRecord> files_of(const Json& list) {
    std::vector<FileRecord> files;
    for (const auto& file : list) files.push_back({file.at("path"), file.at("bytes"), file.at("xxh3_128")});
    return files;
}

/// Size first, as it is free; then the bytes.
bool is_unchanged(const FileRecord& file, const RunPaths& paths) {
    std::error_code error;
    const std::string path = paths.expand(file.path, "record");
    const auto bytes = std::filesystem::file_size(path, error);
    if (error || bytes != file.bytes || file.hash.empty()) return false;
    return record_file(path).hash == file.hash;
}

std::string changed_file(const std::vector<FileRecord>& files, const RunPaths& paths) {
    for (const auto& file : files) {
        try {
            if (is_unchanged(file, paths)) continue;
        } catch (const Error&) {  // a place that is not there any more: as good as changed
        }
        return file.path;
    }
    return {};
}

}  // namespace

void write_record(const StageRecord& record, const std::string& path) {
    Json json;
    json["record_schema"] = k_record_schema;
    json["stage"] = record.stage;
    json["options_hash"] = record.options_hash;
    json["results_version"] = record.results_version;
    json["inputs"] = to_json(record.inputs);
    json["outputs"] = to_json(record.outputs);
    json["shown"] = record.shown;
    json["summary"] = record.summary;
    write_json(json, path);
}

std::optional<StageRecord> read_record(const std::string& path) {
    std::ifstream file(path);
    if (!file) return std::nullopt;
    try {
        const Json json = Json::parse(file);
        if (json.at("record_schema") != k_record_schema) return std::nullopt;
        StageRecord record;
        record.stage = json.at("stage");
        record.options_hash = json.at("options_hash");
        record.results_version = json.at("results_version");
        record.inputs = files_of(json.at("inputs"));
        record.outputs = files_of(json.at("outputs"));
        record.shown = json.at("shown").get<std::vector<std::pair<std::string, std::string>>>();
        record.summary = json.at("summary");
        return record;
    } catch (const Json::exception&) {
        return std::nullopt;  // damaged: the stage runs again
    }
}

std::string why_outdated(const StageRecord& record, const std::string& options_hash, const RunPaths& paths) {
    if (record.options_hash != options_hash) return "its options changed";
    if (record.results_version != k_results_version) return "this version of Regrove gives other results";
    if (const auto path = changed_file(record.inputs, paths); !path.empty()) return "its input " + path + " changed";
    if (const auto path = changed_file(record.outputs, paths); !path.empty())
        return "its output " + path + " is missing or changed";
    return {};
}

}  // namespace regrove::pipeline
