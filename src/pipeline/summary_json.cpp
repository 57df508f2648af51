#include "regrove/pipeline/summary_json.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>

#include "regrove/core/hash.hpp"
#include "regrove/core/memory.hpp"
#include "regrove/core/version.hpp"
#include "regrove/pipeline/output_file.hpp"

namespace regrove::pipeline {

namespace {

using Json = nlohmann::ordered_json;

constexpr int k_summary_schema = 1;

/// Seconds of each phase, the longest over the ranks, in the order in which rank 0 met them.
Json phase_seconds(comm::Communicator& comm, const Summary& summary) {
    Json own = Json::array();
    std::map<std::string, double> sums;
    std::vector<std::string> order;
    for (const auto& [name, seconds] : summary.phases()) {
        if (sums.emplace(name, 0.0).second) order.push_back(name);
        sums[name] += seconds;
    }
    for (const auto& name : order) own.push_back({name, sums[name]});
    Json longest = Json::object();
    for (const auto& text : comm.gather_all(own.dump())) {
        for (const auto& phase : Json::parse(text)) {
            const auto name = phase[0].get<std::string>();
            const auto seconds = phase[1].get<double>();
            longest[name] = std::max(longest.value(name, 0.0), seconds);
        }
    }
    return longest;
}

Json to_json(const std::vector<FileRecord>& files) {
    Json list = Json::array();
    for (const auto& file : files) {
        list.push_back({{"path", file.path}, {"bytes", file.bytes}, {"xxh3_128", file.hash}});
    }
    return list;
}

Json options_json(const OptionTable& table) {
    Json options = Json::object();
    for (const auto& entry : table.entries()) options[entry.name] = entry.text();
    return options;
}

/// Warnings of all ranks, each once.
Json all_warnings(comm::Communicator& comm, const Summary& summary) {
    Json all = Json::array();
    for (const auto& text :
         comm.gather_all(Json(summary.warnings()).dump(-1, ' ', true, Json::error_handler_t::replace))) {
        for (const auto& warning : Json::parse(text)) {
            if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
        }
    }
    return all;
}

}  // namespace

FileRecord record_file(const std::string& path) {
    FileRecord record{path, 0, ""};
    try {
        record.bytes = std::filesystem::file_size(path);
        record.hash = to_hex(hash_file(path));
    } catch (const std::exception&) {
        record.hash.clear();  // gone or unreadable: the account says so by an empty hash
    }
    return record;
}

std::vector<FileRecord> record_files(comm::Communicator& comm, const std::vector<std::string>& paths) {
    Json own = Json::array();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        if (i % comm.size() != static_cast<std::size_t>(comm.rank())) continue;
        const auto record = record_file(paths[i]);
        own.push_back({i, record.bytes, record.hash});
    }
    std::vector<FileRecord> records(paths.size());
    for (const auto& text : comm.gather_all(own.dump())) {
        for (const auto& entry : Json::parse(text)) {
            const auto i = entry[0].get<std::size_t>();
            records[i] = {paths[i], entry[1].get<std::uint64_t>(), entry[2].get<std::string>()};
        }
    }
    return records;
}

std::vector<std::string> all_paths(comm::Communicator& comm, const std::vector<std::string>& own) {
    std::string joined;
    for (const auto& path : own) joined += path + '\0';
    std::vector<std::string> paths;
    for (const auto& text : comm.gather_all(joined)) {
        for (std::size_t begin = 0; begin < text.size();) {
            const auto end = text.find('\0', begin);
            const auto path = text.substr(begin, end - begin);
            if (path != "-" && std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
            begin = end + 1;
        }
    }
    return paths;
}

JobClock::JobClock(const comm::Communicator& comm)
    : started_(std::chrono::system_clock::now()),
      steady_(std::chrono::steady_clock::now()),
      traffic_(comm.traffic()) {}

std::string JobClock::started_text() const {
    const std::time_t time = std::chrono::system_clock::to_time_t(started_);
    std::tm utc{};
    gmtime_r(&time, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

double JobClock::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - steady_).count();
}

comm::Traffic JobClock::traffic(const comm::Communicator& comm) const {
    comm::Traffic sent;
    sent.messages = comm.traffic().messages - traffic_.messages;
    sent.bytes = comm.traffic().bytes - traffic_.bytes;
    return sent;
}

nlohmann::ordered_json build_summary(comm::Communicator& comm, const JobAccount& account, const Summary& summary) {
    const double seconds = account.clock.seconds();
    const comm::Traffic sent = account.clock.traffic(comm);
    std::vector<double> longest{seconds};
    comm.max(longest);
    Json json;
    json["summary_schema"] = k_summary_schema;
    json["job"] = account.job;
    json["exit_code"] = static_cast<int>(account.code);
    if (account.failure) json["error"] = account.failure->message;
    json["result"] = summary.result;
    json["options"] = options_json(account.options);
    json["version"] = version_text();
    json["results_version"] = k_results_version;
    json["build"] = build_text();
    json["ranks"] = comm.size();
    json["threads"] = account.threads;
    json["started"] = account.clock.started_text();
    json["seconds"] = {{"total", longest[0]}, {"phases", phase_seconds(comm, summary)}};
    json["peak_memory_bytes"] = comm.gather_all(peak_memory_bytes());
    json["messages_sent"] = comm.gather_all(sent.messages);
    json["bytes_sent"] = comm.gather_all(sent.bytes);
    json["read"] = to_json(record_files(comm, all_paths(comm, summary.files_read())));
    json["written"] = to_json(record_files(comm, all_paths(comm, summary.files_written())));
    json["warnings"] = all_warnings(comm, summary);
    json["details"] = summary.details;
    return json;
}

void write_json(const nlohmann::ordered_json& value, const std::string& path) {
    OutputFile file(path, true);
    file.write(value.dump(2, ' ', false, Json::error_handler_t::replace));
    file.write("\n");
    file.commit();
}

bool stopped_with_checkpoint(const std::string& path, const std::string& job, const std::string& folder) {
    std::ifstream file(path, std::ios::binary);
    const Json json = Json::parse(file, nullptr, false);
    const auto has = [](const Json& object, const char* key, const Json& value) {
        return object.is_object() && object.contains(key) && object.at(key) == value;
    };
    return has(json, "job", job) && has(json, "exit_code", static_cast<int>(ExitCode::stopped_resumable)) &&
           json.contains("options") && has(json.at("options"), "checkpoint", folder);
}

std::string format_table(const std::vector<std::pair<std::string, std::string>>& lines) {
    std::size_t width = 0;
    for (const auto& line : lines) width = std::max(width, line.first.size());
    std::string text;
    for (const auto& [name, value] : lines) text += name + std::string(width - name.size() + 2, ' ') + value + "\n";
    return text;
}

}  // namespace regrove::pipeline
