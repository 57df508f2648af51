// Every file in configs/ runs at its smoke size and leaves the files that it promises.
#include <algorithm>

#include "cli_process.hpp"

namespace {

using regrove::test::count_of;
using regrove::test::read_text;

class Configs : public regrove::test::CliTest {};

std::vector<std::filesystem::path> files_in_configs() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(REGROVE_SOURCE_DIR) / "configs"))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool is_pipeline(const std::filesystem::path& file) { return count_of(read_text(file), "[[stage]]") > 0; }

// The names behind `output = "${run}/`.
std::vector<std::string> promised_outputs(const std::string& pipeline) {
    const std::string key = "output = \"${run}/";
    std::vector<std::string> names;
    for (auto at = pipeline.find(key); at != std::string::npos; at = pipeline.find(key, at + 1)) {
        const auto begin = at + key.size();
        names.push_back(pipeline.substr(begin, pipeline.find('"', begin) - begin));
    }
    return names;
}

TEST_F(Configs, PipelinesRunOnTwoRanksAtTheirSmokeSize) {
    std::size_t pipelines = 0;
    for (const auto& file : files_in_configs()) {
        if (!is_pipeline(file)) continue;
        ++pipelines;
        const std::string text = read_text(file);
        EXPECT_GT(count_of(text, "[smoke"), 0U) << file;
        const std::string run = file.stem().string();
        const auto outcome = regrove_on(2, "run \"" + file.string() + "\" --smoke --dir " + run);
        EXPECT_EQ(outcome.code, 0) << file << "\n" << outcome.err;
        const auto outputs = promised_outputs(text);
        EXPECT_FALSE(outputs.empty()) << file;
        for (const auto& output : outputs) EXPECT_TRUE(exists(run + "/" + output)) << file << " " << output;
    }
    EXPECT_GE(pipelines, 2U);
}

TEST_F(Configs, PresetsTrainTheFivePatients) {
    const std::string table = std::string(REGROVE_TEST_DATA) + "/tables/five_patients.csv";
    std::size_t presets = 0;
    for (const auto& file : files_in_configs()) {
        if (is_pipeline(file)) continue;
        ++presets;
        const std::string model = file.stem().string() + ".json";
        const auto outcome = regrove("train --config \"" + file.string() + "\" --data \"" + table +
                                     "\" --target disease --output " + model);
        EXPECT_EQ(outcome.code, 0) << file << "\n" << outcome.err;
        EXPECT_EQ(count_of(read(model), "\"id\""), 5U) << file;  // two questions and three leaves
    }
    EXPECT_GE(presets, 1U);
}

}  // namespace
