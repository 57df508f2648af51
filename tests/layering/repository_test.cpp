// The files of the repository hold no places of one machine and no unfinished work, and none of them is large.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "layering/include_scan.hpp"
#include "layering/repository_text.hpp"

namespace regrove::layering {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path k_root = REGROVE_SOURCE_DIR;

TEST(Repository, ListsItsFiles) {
    EXPECT_THAT(repository_files(k_root), testing::IsSupersetOf({"CMakeLists.txt", "tests/CMakeLists.txt"}));
}

TEST(Repository, HoldsNoForbiddenText) {
    for (const auto& file : repository_files(k_root)) {
        if (!fs::is_regular_file(k_root / file)) continue;  // deleted and not yet committed
        for (const auto& line : find_forbidden_text(read_text(k_root / file), file)) ADD_FAILURE() << line;
    }
}

TEST(Repository, HoldsNoLargeFile) {
    for (const auto& file : repository_files(k_root)) {
        if (!fs::is_regular_file(k_root / file)) continue;
        EXPECT_LE(fs::file_size(k_root / file), k_largest_file_bytes) << file;
    }
}

TEST(Repository, ForbiddenTextIsFound) {
    const std::string mark = std::string("TO") + "DO";
    const std::string folder = std::string("/ho") + "me/";
    const auto found =
        find_forbidden_text("fine\n// " + mark + ": later\n#include \"" + folder + "a/b.hpp\"\n", "x.cpp");
    ASSERT_EQ(found.size(), 2U);
    EXPECT_THAT(found[0], HasSubstr("x.cpp:2: '" + mark + "' marks unfinished work"));
    EXPECT_THAT(found[1], HasSubstr("x.cpp:3: '" + folder + "' names a folder"));
}

TEST(Repository, LikeWordsAreNotForbidden) {
    const std::string folder = std::string("/wo") + "rk/";
    EXPECT_THAT(find_forbidden_text("MY_TO"
                                    "DO_LIST build" +
                                        folder +
                                        "x\nTO"
                                        "DOS\n",
                                    "x.cpp"),
                IsEmpty());
}

}  // namespace
}  // namespace regrove::layering
