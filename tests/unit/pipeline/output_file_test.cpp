// Result files appear whole or not at all.
#include "regrove/pipeline/output_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

/// A process that has ended and is waited for: nobody has its number.
pid_t process_that_is_gone() {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
    return child;
}

TEST(OutputFileTest, RemovesWhatKilledProcessesLeftAndNothingElse) {
    const TemporaryFolder folder;
    const std::string own = temporary_name("m.json");
    const std::string own_process = std::to_string(getpid());
    const std::size_t at = own.find(own_process);
    const std::string host = own.substr(at + own_process.size());
    const auto left_by = [&](const std::string& path, pid_t process) {
        return path + ".partial-" + std::to_string(process) + host;
    };
    const pid_t gone = process_that_is_gone();
    const std::string stale = left_by("m.json", gone);
    const std::vector<std::string> others{
        left_by("other.json", gone),     left_by("m.json", getppid()), left_by("m.json", 1),      stale + "2",
        "m.json.partial-" + own_process, "m.json.partial-x" + host,    "m.json.partial-notes.txt"};
    folder.write(stale, "half");
    for (const std::string& name : others) folder.write(name, "mine");
    const OutputFile file(folder / "m.json", false);
    EXPECT_FALSE(std::filesystem::exists(folder / stale));
    for (const std::string& name : others) EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
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
