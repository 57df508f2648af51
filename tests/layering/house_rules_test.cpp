// The source tree keeps to the doors of cmake/RegroveModules.cmake, and small bad trees are caught.
#include "layering/house_rules.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "layering/include_scan.hpp"
#include "layering/module_doors.hpp"

namespace regrove::layering {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    return text;
}

constexpr const char* k_three_modules =
    "function(regrove_module name)\nendfunction()\n# regrove_module(comment DOORS nothing)\n"
    "regrove_module(core LIBRARIES fmt::fmt)\nregrove_module(data DOORS core)\nregrove_module(model DOORS core)\n";

/// Path to text.
using Files = std::map<std::string, std::string>;

/// A source tree in a temporary folder, removed at the end.
class SmallTree {
  public:
    explicit SmallTree(const Files& files) {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        root_ = fs::temp_directory_path() / ("regrove_" + std::string(test->name()) + std::to_string(getpid()));
        fs::remove_all(root_);
        write("cmake/RegroveModules.cmake", k_three_modules);
        for (const auto& [path, text] : files) write(path, text);
    }
    ~SmallTree() { fs::remove_all(root_); }
    SmallTree(const SmallTree&) = delete;
    SmallTree& operator=(const SmallTree&) = delete;

    std::vector<std::string> violations() const { return find_violations(root_); }

  private:
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    fs::path root_;
};

TEST(HouseRules, TheSourceTreeIsInOrder) {
    const auto violations = find_violations(REGROVE_SOURCE_DIR);
    EXPECT_THAT(violations, IsEmpty()) << joined(violations);
}

TEST(HouseRules, ReadsTheModulesOfTheBuild) {
    const auto modules = read_modules(read_text(fs::path(REGROVE_SOURCE_DIR) / "cmake/RegroveModules.cmake"));
    ASSERT_GE(modules.size(), 15U);
    EXPECT_EQ(modules.front().name, "core");
    EXPECT_THAT(modules.front().doors, IsEmpty());
    EXPECT_EQ(modules.back().name, "pipeline");
    EXPECT_THAT(modules.back().doors, testing::Contains("dist"));
}

TEST(HouseRules, AcceptsAllowedIncludes) {
    const SmallTree tree(
        Files{{"include/regrove/core/a.hpp", "#include <vector>\n"},
              {"include/regrove/data/b.hpp", "#include \"regrove/core/a.hpp\"\n"},
              {"src/data/own.hpp", ""},
              {"src/data/b.cpp", "#include \"own.hpp\"\n#include \"regrove/data/b.hpp\"\n"},
              {"jobs/main.cpp", "#include \"regrove/data/b.hpp\"\n#include <regrove/model/c.hpp>\n"}});
    EXPECT_THAT(tree.violations(), IsEmpty());
}

TEST(HouseRules, CatchesAnIncludeWithoutADoor) {
    const SmallTree tree(Files{{"src/data/b.cpp", "// one\n\n#  include <regrove/model/tree.hpp>\n"}});
    EXPECT_THAT(tree.violations(),
                ElementsAre("src/data/b.cpp:3: data has no door to model in cmake/RegroveModules.cmake"));
}

TEST(HouseRules, CatchesAWayAroundTheDoorByARelativePath) {
    const SmallTree tree(Files{{"src/model/own.hpp", ""}, {"src/data/b.cpp", "#include \"../model/own.hpp\"\n"}});
    EXPECT_THAT(tree.violations(), ElementsAre(HasSubstr("src/data/b.cpp:1: data has no door to model")));
}

TEST(HouseRules, CatchesAnUpwardInclude) {
    const SmallTree tree(Files{{"include/regrove/core/a.hpp", "#include \"regrove/data/b.hpp\"\n"},
                               {"jobs/job_table.hpp", ""},
                               {"src/core/a.cpp", "#include \"../../jobs/job_table.hpp\"\n"}});
    EXPECT_THAT(tree.violations(), ElementsAre(HasSubstr("include/regrove/core/a.hpp:1: core has no door to data"),
                                               HasSubstr("src/core/a.cpp:1: core includes a file of jobs/")));
}

TEST(HouseRules, CatchesAFolderWithoutAModule) {
    const SmallTree tree(Files{{"src/helper/a.cpp", ""}, {"jobs/x.cpp", "#include \"regrove/helper/a.hpp\"\n"}});
    EXPECT_THAT(tree.violations(), ElementsAre(HasSubstr("jobs/x.cpp:1: 'regrove/helper/a.hpp' lies in no module"),
                                               HasSubstr("src/helper/a.cpp:1: lies in no module")));
}

TEST(HouseRules, CatchesDoorsThatFormARingOrLeadNowhere) {
    const SmallTree tree(Files{{"cmake/RegroveModules.cmake",
                                "regrove_module(core DOORS data)\nregrove_module(data DOORS\n"
                                "  core attic)\n"},
                               {"src/core/a.cpp", ""}});
    EXPECT_THAT(tree.violations(),
                ElementsAre(HasSubstr("RegroveModules.cmake:2: data has a door to attic, which is no module"),
                            HasSubstr("doors form a ring: core -> data -> core")));
}

TEST(HouseRules, CatchesHeadersThatIncludeEachOther) {
    const SmallTree tree(Files{{"include/regrove/core/a.hpp", "#include \"regrove/core/b.hpp\"\n"},
                               {"include/regrove/core/b.hpp", "#include \"a.hpp\"\n"}});
    EXPECT_THAT(tree.violations(),
                ElementsAre("files include each other: include/regrove/core/a.hpp -> include/regrove/core/b.hpp -> "
                            "include/regrove/core/a.hpp"));
}

TEST(HouseRules, CatchesOutsideLibrariesInTheWrongRoom) {
    for (const char* header :
         {"mpi.h", "hdf5.h", "H5Cpp.h", "boost/serialization/vector.hpp", "boost/archive/binary_iarchive.hpp",
          "tbb/parallel_for.h", "oneapi/tbb/task_arena.h", "CLI/CLI.hpp", "toml++/toml.h"}) {
        const SmallTree tree(Files{{"src/data/b.cpp", std::string("#include <") + header + ">\n"}});
        EXPECT_THAT(tree.violations(), ElementsAre(HasSubstr("src/data/b.cpp:1: '" + std::string(header) + "'")));
    }
}

TEST(HouseRules, CatchesMpiAndTbbInHeadersOfTheirOwnRooms) {
    const SmallTree tree(
        Files{{"cmake/RegroveModules.cmake", "regrove_module(core)\nregrove_module(comm DOORS core)\n"},
              {"include/regrove/comm/c.hpp", "#include <mpi.h>\n"},
              {"src/comm/c.cpp", "#include <mpi.h>\n"},
              {"src/core/p.hpp", "#include <tbb/parallel_for.h>\n"},
              {"src/core/p.cpp", "#include <tbb/parallel_for.h>\n"}});
    EXPECT_THAT(tree.violations(), ElementsAre(HasSubstr("include/regrove/comm/c.hpp:1: 'mpi.h'"),
                                               HasSubstr("src/core/p.hpp:1: 'tbb/parallel_for.h'")));
}

TEST(HouseRules, DoesNotReadComments) {
    const SmallTree tree(Files{
        {"src/data/b.cpp", "// #include <mpi.h>\n/* one\n#include <mpi.h>\n*/ #include \"regrove/core/a.hpp\"\n"}});
    EXPECT_THAT(tree.violations(), IsEmpty());
}

TEST(HouseRules, RefusesATreeWithoutSourcesOrModules) {
    EXPECT_THROW(SmallTree(Files{}).violations(), std::runtime_error);
    const SmallTree tree(Files{{"cmake/RegroveModules.cmake", "# empty\n"}, {"src/core/a.cpp", ""}});
    EXPECT_THROW(tree.violations(), std::runtime_error);
}

}  // namespace
}  // namespace regrove::layering
