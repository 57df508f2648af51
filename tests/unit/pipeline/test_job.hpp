// A small job whose options and actions tests can look at.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/pipeline/job.hpp"

namespace regrove::pipeline::test {

struct TreeOptions {
    std::vector<std::string> data;
    std::uint32_t max_depth = 8;
    double learning_rate = 0.3;
    bool shuffle = false;
    std::string output;
};

class TreeJob final : public Job {
  public:
    void list_options(OptionTable& table) override {
        table.add("data", options.data, "tables").value_name("FILE").no_result();
        table.add("max_depth", options.max_depth, 1, 64, "depth of a tree").alias("depth");
        table.add("learning_rate", options.learning_rate, 0.0, 1.0, "shrinkage").alias("eta");
        table.add("shuffle", options.shuffle, "shuffle the rows first");
        table.add("output", options.output, "where the model goes").value_name("FILE").no_result();
    }
    void run(JobContext&) override {}
    TreeOptions options;
};

inline JobRow tree_row(std::string name = "train") {
    JobRow row;
    row.name = std::move(name);
    row.purpose = "grow a tree";
    row.group = "models";
    row.example = "regrove train --data t.h5";
    row.make = [] { return std::make_unique<TreeJob>(); };
    return row;
}

/// A folder of its own for each test, removed afterwards.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::temp_directory_path() / (std::string("regrove-") + info->test_suite_name() + "-" +
                                                          info->name() + "-" + std::to_string(getpid()));
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name, std::ios::binary) << text;
        return *this / name;
    }
    std::size_t file_count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }
    std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The message of the Error that `work` throws, with its code in front: "78 ...". Empty when it throws none.
template <class Work>
std::string failure_of(Work&& work) {
    try {
        work();
    } catch (const Error& error) {
        return std::to_string(static_cast<int>(error.code())) + " " + error.what();
    }
    return {};
}

}  // namespace regrove::pipeline::test
