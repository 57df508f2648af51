// The version in the code is the project's, and the build line holds what bytes depend on.
#include "regrove/core/version.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace regrove {
namespace {

TEST(Version, IsTheProjects) {
    std::ifstream file(std::string(REGROVE_SOURCE_DIR) + "/CMakeLists.txt");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_NE(text.find("project(Regrove VERSION " + version_text() + ' '), std::string::npos);
}

TEST(Version, BuildLineHoldsVersionAndResults) {
    EXPECT_NE(build_text().find(version_text()), std::string::npos);
    EXPECT_NE(build_text().find("results " + std::to_string(k_results_version)), std::string::npos);
    EXPECT_EQ(build_text().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace regrove
