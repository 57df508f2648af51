// One incarnation writes: whoever has lost the lease ends without writing, and a live process is not robbed.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/store/checkpoint.hpp"

#include "support/checkpoint_cases.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class CheckpointLeaseTest : public testing::Test {
  protected:
    std::unique_ptr<CheckpointStore> open() {
        return std::make_unique<CheckpointStore>(*comm_, place_, test::some_identity());
    }
    static void fill(CheckpointWriter& writer) {
        const auto self = comm::make_self_communicator();
        writer.append<test::MemoEntry>("memo", test::owned_entries(*self, 0, 100), test::shard_of_entry);
    }
    static CommitOutcome save(CheckpointStore& store) {
        auto writer = store.begin(1);
        fill(writer);
        return writer.commit();
    }

    /// Numbers and incarnations of the generations with a manifest.
    std::vector<std::string> generations() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(place_.folder)) {
            if (fs::exists(entry.path() / "manifest.json")) names.push_back(entry.path().filename().string());
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    template <class Work>
    static std::string failure_of(const Work& work) {
        try {
            work();
        } catch (const Error& error) {
            return std::to_string(static_cast<int>(error.code())) + " " + error.what();
        }
        return {};
    }

    /// A process that runs `work` once it has the lease, and ends with its result.
    pid_t other_process(const std::function<int(CheckpointStore&)>& work) {
        const pid_t child = fork();
        if (child != 0) {
            for (int i = 0; i < 1000 && !fs::exists(place_.folder + "/lease.json"); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            return child;
        }
        int code = 99;
        try {
            const auto store = open();
            code = work(*store);
        } catch (const std::exception&) {
        }
        _exit(code);
    }
    static int wait_for(pid_t child) {
        int status = 0;
        waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    test::ScratchFolder scratch_;
    std::unique_ptr<comm::Communicator> comm_ = comm::make_self_communicator();
    CheckpointPlace place_ = test::place_in(scratch_.path("ckpt"));
};

TEST_F(CheckpointLeaseTest, TheRobbedOneCannotBegin) {
    const auto old = open();
    ASSERT_TRUE(save(*old).committed);
    const auto robber = open();
    EXPECT_NE(old->incarnation(), robber->incarnation());
    EXPECT_THAT(failure_of([&] { save(*old); }),
                testing::AllOf(testing::StartsWith("73 "), HasSubstr("taken over"), HasSubstr(robber->incarnation()),
                               HasSubstr("ends without writing")));
    EXPECT_EQ(generations().size(), 1U);
    EXPECT_TRUE(save(*robber).committed);
}

TEST_F(CheckpointLeaseTest, TheRobbedOneCannotCommitWhatItHasBegun) {
    const auto old = open();
    ASSERT_TRUE(save(*old).committed);
    auto writer = std::make_unique<CheckpointWriter>(old->begin(2));
    fill(*writer);
    const auto robber = open();
    EXPECT_THAT(failure_of([&] { (void)writer->commit(); }), testing::StartsWith("73 "));
    writer.reset();
    ASSERT_EQ(generations().size(), 1U);
    EXPECT_TRUE(save(*robber).committed);
    ASSERT_EQ(generations().size(), 2U);
    EXPECT_THAT(generations()[1], testing::EndsWith(robber->incarnation()));
}

TEST_F(CheckpointLeaseTest, RobbedBetweenCommitAndDroppingItDropsNothing) {
    std::unique_ptr<CheckpointStore> robber;
    const auto first = open();
    for (int i = 0; i < 2; ++i) ASSERT_TRUE(save(*first).committed);
    place_.on_step = [&](std::string_view step) {
        if (step != "verified" || robber) return;
        auto quiet = place_;
        quiet.on_step = {};
        robber = std::make_unique<CheckpointStore>(*comm_, quiet, test::some_identity());
    };
    const auto old = open();
    EXPECT_THAT(failure_of([&] { save(*old); }), testing::StartsWith("73 "));
    EXPECT_EQ(generations().size(), 3U);
    EXPECT_EQ(robber->resumed()->number(), 3U);
    EXPECT_TRUE(save(*robber).committed);
    EXPECT_EQ(generations().size(), 2U);
}

TEST_F(CheckpointLeaseTest, WithoutALeaseNothingIsWritten) {
    const auto store = open();
    fs::remove(place_.folder + "/lease.json");
    EXPECT_THAT(failure_of([&] { save(*store); }), testing::StartsWith("73 "));
    EXPECT_TRUE(generations().empty());
}

TEST_F(CheckpointLeaseTest, ALiveProcessIsNotRobbedButADeadOneIs) {
    const pid_t child = other_process([](CheckpointStore&) { return pause(); });
    EXPECT_THAT(failure_of([&] { open(); }),
                testing::AllOf(testing::StartsWith("73 "), HasSubstr("in use by process " + std::to_string(child))));
    kill(child, SIGKILL);
    EXPECT_EQ(failure_of([&] { open(); }), "");  // not collected yet, but dead
    wait_for(child);
}

TEST_F(CheckpointLeaseTest, ARequeuedSlurmJobTakesOverFromItsOwnRemains) {
    setenv("SLURM_JOB_ID", "4711", 1);
    const pid_t child = other_process([](CheckpointStore& store) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        return failure_of([&] { save(store); }).starts_with("73 ") ? 7 : 8;
    });
    setenv("SLURM_RESTART_COUNT", "1", 1);
    const auto store = open();
    EXPECT_THAT(store->incarnation(), testing::StartsWith("4711-1-"));
    EXPECT_TRUE(save(*store).committed);
    EXPECT_EQ(wait_for(child), 7);
    unsetenv("SLURM_JOB_ID");
    unsetenv("SLURM_RESTART_COUNT");
}

}  // namespace
}  // namespace regrove::store
