// The machine-readable account of one job, gathered from all ranks.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/pipeline/failure.hpp"
#include "regrove/pipeline/summary.hpp"

namespace regrove::pipeline {

/// A file as it was when it was looked at.
struct FileRecord {
    std::string path;
    std::uint64_t bytes = 0;
    std::string hash;  ///< XXH3-128, hexadecimal; empty when the file could not be read
};

FileRecord record_file(const std::string& path);
/// Size and hash of each file, in the order of the paths. Collective: the ranks share the reading.
std::vector<FileRecord> record_files(comm::Communicator& comm, const std::vector<std::string>& paths);
/// The paths of all ranks, each once, standard streams left out, in order of rank and mention. Collective.
std::vector<std::string> all_paths(comm::Communicator& comm, const std::vector<std::string>& own);

/// What the runner notes about a job from its start on.
class JobClock {
  public:
    explicit JobClock(const comm::Communicator& comm);
    std::string started_text() const;  ///< UTC, ISO 8601
    double seconds() const;
    /// What this rank has sent since the start.
    comm::Traffic traffic(const comm::Communicator& comm) const;

  private:
    std::chrono::system_clock::time_point started_;
    std::chrono::steady_clock::time_point steady_;
    comm::Traffic traffic_;
};

struct JobAccount {
    std::string job;
    const OptionTable& options;
    const JobClock& clock;
    unsigned threads = 1;
    std::optional<Failure> failure = std::nullopt;
    ExitCode code = ExitCode::ok;
};

/// The whole summary, on every rank. Collective.
nlohmann::ordered_json build_summary(comm::Communicator& comm, const JobAccount& account, const Summary& summary);

/// Writes it, replacing what is there. Appears under its name only when complete.
void write_json(const nlohmann::ordered_json& value, const std::string& path);

/// Whether the file is the summary of such a job that ended with code 75 and the same --checkpoint: the same command
/// may replace it without being told to.
bool stopped_with_checkpoint(const std::string& path, const std::string& job, const std::string& folder);

/// The short table for a person.
std::string format_table(const std::vector<std::pair<std::string, std::string>>& lines);

}  // namespace regrove::pipeline
