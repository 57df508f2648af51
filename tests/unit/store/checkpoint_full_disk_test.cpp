// A disk without room: the run goes on, what is there stays, and later there may be room again.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "regrove/core/error.hpp"
#include "regrove/store/checkpoint.hpp"

#include "support/checkpoint_cases.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr std::uint64_t k_large = 100000;  // entries: 3 MiB

CommitOutcome save(CheckpointStore& store, std::uint64_t begin, std::uint64_t end,
                   IfFailed if_failed = IfFailed::warn) {
    const auto self = comm::make_self_communicator();
    auto writer = store.begin(end);
    writer.append<test::MemoEntry>("memo", test::owned_entries(*self, writer.wants_all() ? 0 : begin, end),
                                   test::shard_of_entry);
    writer.put_text("state", std::to_string(end));
    return writer.commit(if_failed);
}

std::size_t folders_in(const std::string& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) count += entry.is_directory() ? 1U : 0U;
    return count;
}

/// Files of this process may not grow beyond some bytes, as if the disk were full there.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit before_{};
};

class CheckpointFullDiskTest : public testing::Test {
  protected:
    test::ScratchFolder scratch_;
    std::unique_ptr<comm::Communicator> comm_ = comm::make_self_communicator();
};

TEST_F(CheckpointFullDiskTest, TheOneBeforeStaysAndTheNextMaySucceed) {
    CheckpointStore store(*comm_, test::place_in(scratch_.path("ckpt")), test::some_identity());
    ASSERT_TRUE(save(store, 0, 1000).committed);
    {
        const FileSizeLimit limit(1U << 20U);
        const auto outcome = save(store, 1000, k_large);
        EXPECT_FALSE(outcome.committed);
        EXPECT_THAT(outcome.problem, testing::AllOf(HasSubstr("rank-0000.h5"), HasSubstr("File too large")));
        EXPECT_EQ(folders_in(scratch_.path("ckpt")), 1U);
        const CheckpointStore now(*comm_, test::place_in(scratch_.path("ckpt")), test::some_identity());
        ASSERT_NE(now.resumed(), nullptr);
        EXPECT_EQ(test::read_memo(*now.resumed()).size(), 1000U);
    }
    CheckpointStore again(*comm_, test::place_in(scratch_.path("ckpt")), test::some_identity());
    EXPECT_TRUE(save(again, 1000, k_large).committed);
}

TEST_F(CheckpointFullDiskTest, TheLimitMayStrikeAnywhere) {
    CheckpointStore store(*comm_, test::place_in(scratch_.path("ckpt")), test::some_identity());
    ASSERT_TRUE(save(store, 0, 1000).committed);
    for (const rlim_t bytes : {0U, 100U, 3000U, 100000U, 500000U, 900000U}) {
        const FileSizeLimit limit(bytes);
        try {
            EXPECT_FALSE(save(store, 1000, 20000).committed) << bytes;
        } catch (const Error& error) {
            ADD_FAILURE() << bytes << ": " << error.what();
        }
    }
    EXPECT_TRUE(save(store, 1000, 20000).committed);
}

TEST_F(CheckpointFullDiskTest, TheLastChanceIsAnError) {
    CheckpointStore store(*comm_, test::place_in(scratch_.path("ckpt")), test::some_identity());
    const FileSizeLimit limit(1U << 20U);
    try {
        save(store, 0, k_large, IfFailed::fail);
        FAIL() << "there is no room";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::io);
        EXPECT_THAT(error.what(), HasSubstr("could not be written"));
    }
}

TEST_F(CheckpointFullDiskTest, WithoutRoomForAllTheNewOnesAreTried) {
    auto place = test::place_in(scratch_.path("ckpt"));
    place.chain = 2;
    CheckpointStore store(*comm_, place, test::some_identity());
    ASSERT_TRUE(save(store, 0, k_large).committed);
    ASSERT_TRUE(save(store, k_large, k_large + 10).committed);
    const FileSizeLimit limit(2U << 20U);
    EXPECT_FALSE(save(store, k_large, k_large + 20).committed);  // in full
    const auto outcome = save(store, k_large + 10, k_large + 20);
    EXPECT_TRUE(outcome.committed) << outcome.problem;
    EXPECT_LT(outcome.bytes, 1U << 20U);
}

TEST_F(CheckpointFullDiskTest, ARealFileSystemWithoutRoom) {
    const std::string disk = scratch_.path("disk");
    fs::create_directories(disk);
    if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=2m") != 0) {
        EXPECT_EQ(errno, EPERM);  // where tests may not mount, the limits above must do
        return;
    }
    {
        CheckpointStore store(*comm_, test::place_in(disk + "/ckpt"), test::some_identity());
        EXPECT_TRUE(save(store, 0, 1000).committed);
        const auto outcome = save(store, 1000, k_large);
        EXPECT_FALSE(outcome.committed);
        EXPECT_THAT(outcome.problem, HasSubstr("No space left on device"));
        EXPECT_TRUE(save(store, 1000, 1500).committed);
    }
    umount2(disk.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace regrove::store
