// Result files appear whole or not at all.
#include "regrove/pipeline/output_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "regrove/core/temporary_file.hpp"

#include "unit/pipeline/test_job.hpp"

namespace regrove::pipeline::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(OutputFileTest, AppearsOnlyOnCommit) {
    const TemporaryFolder folder;
    OutputFile file(folder / "m.json", false);
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(folder / "m.json"));
    file.write(" and half");
    file.commit();
    EXPECT_EQ(read_text(folder / "m.json"), "half and half");
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(OutputFileTest, LeavesNothingWithoutCommit) {
    const TemporaryFolder folder;
    {
        OutputFile file(folder / "m.json", false);
        file.write(std::string(std::size_t{1} << 20U, 'x'));
        EXPECT_EQ(folder.file_count(), 1U);
    }
    EXPECT_EQ(folder.file_count(), 0U);
}

TEST(OutputFileTest, RefusesAnExistingFileBeforeAnyWorkAndKeepsIt) {
    const TemporaryFolder folder;
    folder.write("m.json", "old");
    EXPECT_THAT(failure_of([&] { OutputFile(folder / "m.json", false); }),
                AllOf(StartsWith("73"), HasSubstr("m.json")));
    EXPECT_THAT(failure_of([&] { require_writable(folder / "m.json", false); }), StartsWith("73"));
    EXPECT_EQ(read_text(folder / "m.json"), "old");
}

TEST(OutputFileTest, RefusesAFileThatAppearedMeanwhile) {
    const TemporaryFolder folder;
    {
        OutputFile file(folder / "m.json", false);
        file.write("new");
        folder.write("m.json", "of another process");
        EXPECT_THAT(failure_of([&] { file.commit(); }), StartsWith("73"));
    }
    EXPECT_EQ(read_text(folder / "m.json"), "of another process");
    EXPECT_EQ(folder.file_count(), 1U);
}

TEST(OutputFileTest, OverwritesWhenTold) {
    const TemporaryFolder folder;
    folder.write("m.json", "old");
    OutputFile file(folder / "m.json", true);
    file.write("new");
    EXPECT_EQ(read_text(folder / "m.json"), "old");
    file.commit();
    EXPECT_EQ(read_text(folder / "m.json"), "new");
}

TEST(OutputFileTest, WritesThroughASymbolicLink) {
    const TemporaryFolder folder;
    folder.write("real.json", "old");
    std::filesystem::create_symlink(folder / "real.json", folder / "link.json");
    OutputFile file(folder / "link.json", true);
    file.write("new");
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.json"));
    EXPECT_EQ(read_text(folder / "real.json"), "new");
}

TEST(OutputFileTest, GivesThePermissionsThatWereAsked) {
    const TemporaryFolder folder;
    OutputFile file(folder / "rejects.txt", false, 0600);
    file.commit();
    struct stat info {};
    ASSERT_EQ(stat((folder / "rejects.txt").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777U, 0600U);
}

TEST(OutputFileTest, NamesAMissingFolderAndAFolderInTheWay) {
    const TemporaryFolder folder;
    EXPECT_THAT(failure_of([&] { require_writable(folder / "none/m.json", false); }),
                AllOf(StartsWith("74"), HasSubstr("none")));
    EXPECT_THAT(failure_of([&] { require_writable(folder.path(), true); }),
                AllOf(StartsWith("73"), HasSubstr("folder")));
}

TEST(OutputFileTest, ReportsAFullDevice) {
    OutputFile file("/dev/full", false);
    file.write("text");
    EXPECT_THAT(failure_of([&] { file.commit(); }), AllOf(StartsWith("74"), HasSubstr("/dev/full")));
}

}  // namespace
}  // namespace regrove::pipeline::test
