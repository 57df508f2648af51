// Runs the built binary as a person would and keeps what it said.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace regrove::test {

struct Outcome {
    int code = -1;  ///< exit code, or 128 + signal
    std::string out;
    std::string err;
};

inline std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// A folder of its own for each test; commands run in it.
class CliTest : public testing::Test {
  protected:
    CliTest() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::temp_directory_path() /
                  (std::string("regrove-e2e-") + info->name() + "-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    ~CliTest() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }
    std::string read(const std::string& name) const { return read_text(folder_ / name); }
    bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

    /// Starts a shell command line in the folder, in a process group of its own; REGROVE stands for the binary.
    pid_t start(const std::string& line) const {
        const pid_t child = fork();
        if (child != 0) return child;
        setpgid(0, 0);
        setenv("REGROVE", REGROVE_BINARY, 1);
        if (chdir(folder_.c_str()) != 0) _exit(126);
        const std::string redirected = line + " >out.txt 2>err.txt";
        execl("/bin/sh", "sh", "-c", redirected.c_str(), nullptr);
        _exit(127);
    }
    Outcome wait_for(pid_t child) const {
        int status = 0;
        waitpid(child, &status, 0);
        return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read("out.txt"), read("err.txt")};
    }
    Outcome run(const std::string& line) const { return wait_for(start(line)); }
    Outcome regrove(const std::string& words) const { return run("\"$REGROVE\" " + words); }
    Outcome regrove_on(int ranks, const std::string& words) const {
        return run("mpirun -n " + std::to_string(ranks) + " \"$REGROVE\" " + words);
    }

    std::filesystem::path folder_;
};

inline std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace regrove::test
