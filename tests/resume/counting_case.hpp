// Starts the counting job, ends it in many ways, and compares what it writes in the end.
#pragma once

#include <csignal>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "e2e/cli_process.hpp"

namespace regrove::test {

class CountingTest : public CliTest {
  protected:
    CountingTest() { std::filesystem::create_directories(folder_); }

    static std::string launcher(int ranks) { return ranks == 1 ? "" : "mpirun -n " + std::to_string(ranks) + " "; }
    /// Words behind `count`; `environment` stands in front.
    static std::string line(int ranks, const std::string& words, const std::string& environment = "") {
        const std::string command = "\"" REGROVE_COUNTING_JOB "\" count " + words;
        return environment + (environment.empty() ? "" : " ") + launcher(ranks) + command;
    }
    Outcome count(int ranks, const std::string& words, const std::string& environment = "") const {
        return run(line(ranks, words, environment));
    }
    /// The table of an undisturbed run on one rank, without checkpoints.
    std::string reference(const std::string& words) const {
        const Outcome outcome = count(1, words + " --output reference.table");
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return read("reference.table");
    }
    nlohmann::json summary() const { return nlohmann::json::parse(read("s.json")); }

    std::vector<std::string> generations(const std::string& folder = "ck") const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / folder)) {
            if (std::filesystem::exists(entry.path() / "manifest.json"))
                names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    /// Waits until `folder` holds a generation.
    bool wait_for_generation(const std::string& folder = "ck") const {
        for (int i = 0; i < 2000; ++i) {
            if (std::filesystem::exists(folder_ / folder) && !generations(folder).empty()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }
};

}  // namespace regrove::test
