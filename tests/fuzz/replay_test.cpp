// Replays every corpus file through its target, and seeded mutations of it.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/formats/registry.hpp"

#include "fuzz/fuzz_target.hpp"
#include "fuzz/mutation.hpp"
#include "unit/formats/sample_models.hpp"

namespace regrove::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_seed = 20;
constexpr std::uintmax_t k_largest_bytes = 8192;

std::string read_file(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Corpus files by name, the small hard files where the target reads text, and models made here in every format, so
/// that they follow the format.
std::map<std::string, std::string> seeds_of(const Target& target) {
    std::map<std::string, std::string> seeds;
    const fs::path root = fs::path(REGROVE_SOURCE_DIR) / "tests";
    std::vector<fs::path> folders = {root / "fuzz" / "corpus" / target.name};
    if (target.name == "csv" || target.name == "libsvm") folders.push_back(root / "data" / "nasty");
    if (target.name == "model") {
        for (const auto& format : formats::all_formats()) {
            if (!format.write) continue;
            for (const auto& [name, ensemble] : formats::sample_models_of(format.name))
                seeds[name + format.name] = format.write(ensemble);
        }
    }
    for (const auto& folder : folders) {
        if (!fs::is_directory(folder)) continue;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.file_size() <= k_largest_bytes) seeds[entry.path().filename()] = read_file(entry.path());
        }
    }
    return seeds;
}

enum class Outcome { taken, refused };

Outcome run(const Target& target, std::string_view bytes) {
    try {
        target.run(bytes);
    } catch (const InternalError&) {
        throw;
    } catch (const Error&) {
        return Outcome::refused;
    }
    return Outcome::taken;
}

/// Writes what was found beside the test, so that it can be added to the corpus.
void report(const Target& target, const std::string& bytes, const std::exception& error) {
    const std::string path = "fuzz_finding_" + target.name;
    std::ofstream(path, std::ios::binary) << bytes;
    FAIL() << target.name << ": " << error.what() << "; the input is in " << fs::absolute(path);
}

class Replay : public testing::TestWithParam<std::size_t> {};

TEST_P(Replay, CorpusAndMutations) {
    const Target& target = all_targets()[GetParam()];
    const auto seeds = seeds_of(target);
    ASSERT_GE(seeds.size(), 3U);
    std::size_t taken = 0;
    std::size_t refused = 0;
    const auto replay = [&](const std::string& bytes) {
        try {
            ++(run(target, bytes) == Outcome::taken ? taken : refused);
        } catch (const std::exception& error) {
            report(target, bytes, error);
        }
    };
    for (const auto& [name, bytes] : seeds) replay(bytes);
    EXPECT_GT(taken, 0U) << "no seed is read: mutations would test little";
    const std::uint64_t each = target.mutations / seeds.size();
    for (const auto& [name, bytes] : seeds) {
        for (std::uint64_t i = 0; i < each && !HasFatalFailure(); ++i) replay(mutate(bytes, target.words, k_seed, i));
    }
    RecordProperty("taken", static_cast<int>(taken));
    RecordProperty("refused", static_cast<int>(refused));
}

INSTANTIATE_TEST_SUITE_P(Targets, Replay, testing::Range(std::size_t{0}, all_targets().size()),
                         [](const auto& target) { return all_targets()[target.param].name; });

TEST(Mutation, IsRepeatable) {
    const std::vector<std::string> words = {"word"};
    EXPECT_EQ(mutate("some text", words, 1, 2), mutate("some text", words, 1, 2));
    std::size_t different = 0;
    for (std::uint64_t i = 0; i < 100; ++i) different += mutate("some text", words, 1, i) != "some text" ? 1 : 0;
    EXPECT_GT(different, 80U);
}

TEST(Replay, SeesAFinding) {
    const Target wrong{"wrong", [](std::string_view bytes) { require(bytes.empty(), "nothing is right"); }, {}, 1};
    EXPECT_THROW(run(wrong, "x"), FuzzFinding);
    const Target buggy{"buggy", [](std::string_view) { throw InternalError("bug"); }, {}, 1};
    EXPECT_THROW(run(buggy, "x"), InternalError);
}

}  // namespace
}  // namespace regrove::fuzz
