// The machine-readable account of a job (--summary FILE.json) and the short table printed for a person.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "regrove/core/error.hpp"

namespace regrove::pipeline {

/// Filled by the job, completed and written by the runner (job, options, versions, ranks, threads, phases, peak
/// memory of each rank, bytes sent, files with hashes, result, exit code).
class Summary {
  public:
    /// The numbers that the job is about, by name: train `trees leaves depth`, evaluate each metric, ...
    nlohmann::ordered_json result = nlohmann::ordered_json::object();
    /// Figures that are neither results nor timings (states, messages by kind, ...), by name.
    nlohmann::ordered_json details = nlohmann::ordered_json::object();

    /// A line of the table for people: "rows", "1,000,000".
    void show(std::string name, std::string value) { shown_.emplace_back(std::move(name), std::move(value)); }
    /// Files read and written; the runner adds size and hash.
    void read(std::string path) { read_.push_back(std::move(path)); }
    void wrote(std::string path) { wrote_.push_back(std::move(path)); }
    void warn(std::string message) { warnings_.push_back(std::move(message)); }

    /// How a job that did its work ends, the same on every rank: `answer_is_no`, or `limit` for an answer that is not
    /// complete. The summary and all outputs are those of a job that ends well; within a run the stage ends it with `why`.
    void end_with(ExitCode code, std::string why) {
        code_ = code;
        why_ = std::move(why);
    }
    ExitCode code() const { return code_; }
    const std::string& why() const { return why_; }

    const std::vector<std::pair<std::string, std::string>>& shown() const { return shown_; }
    const std::vector<std::string>& files_read() const { return read_; }
    const std::vector<std::string>& files_written() const { return wrote_; }
    const std::vector<std::string>& warnings() const { return warnings_; }
    const std::vector<std::pair<std::string, double>>& phases() const { return phases_; }

    /// Measures the time until it is destroyed as a phase of this name.
    class Phase {
      public:
        Phase(Summary& summary, std::string name)
            : summary_(summary), name_(std::move(name)), start_(std::chrono::steady_clock::now()) {}
        ~Phase() {
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
            summary_.phases_.emplace_back(name_, elapsed.count());
        }
        Phase(const Phase&) = delete;
        Phase& operator=(const Phase&) = delete;

      private:
        Summary& summary_;
        std::string name_;
        std::chrono::steady_clock::time_point start_;
    };
    [[nodiscard]] Phase phase(std::string name) { return {*this, std::move(name)}; }

  private:
    std::vector<std::pair<std::string, std::string>> shown_;
    std::vector<std::string> read_;
    std::vector<std::string> wrote_;
    std::vector<std::string> warnings_;
    std::vector<std::pair<std::string, double>> phases_;
    ExitCode code_ = ExitCode::ok;
    std::string why_;
};

}  // namespace regrove::pipeline
