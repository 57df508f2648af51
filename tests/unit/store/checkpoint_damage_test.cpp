// Torn, flipped, truncated and missing bytes: damage is seen, an older generation steps in, and nothing wrong is read.
#include <filesystem>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/log.hpp"
#include "regrove/store/checkpoint.hpp"

#include "support/checkpoint_cases.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using test::MemoEntry;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr std::uint64_t k_first = 60;
constexpr std::uint64_t k_second = 80;

/// Two generations: 1 with entries up to k_first, 2 with those up to k_second, which refers to the file of 1.
class CheckpointDamageTest : public testing::Test {
  protected:
    CheckpointDamageTest() {
        log::configure(log::Level::quiet, 0, 1);
        {
            CheckpointStore store(*comm_, test::place_in(pristine_), test::some_identity());
            save(store, 0, k_first);
            save(store, k_first, k_second);
        }
        for (const auto& entry : fs::directory_iterator(pristine_)) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with("gen-000001")) first_ = name;
            if (name.starts_with("gen-000002")) second_ = name;
        }
        renew();
    }
    ~CheckpointDamageTest() override { log::configure(log::Level::info, 0, 1); }

    void save(CheckpointStore& store, std::uint64_t begin, std::uint64_t end) const {
        auto writer = store.begin(end);
        writer.append<MemoEntry>("memo", test::owned_entries(*comm_, begin, end), test::shard_of_entry);
        writer.put_text("state", std::to_string(end));
        ASSERT_TRUE(writer.commit().committed);
    }

    /// The folder as it was before any damage.
    void renew() const {
        fs::remove_all(folder_);
        fs::copy(pristine_, folder_, fs::copy_options::recursive);
    }

    /// The entries that a run goes on from (checked one by one), 0 for none, or -1 when all is damaged.
    std::int64_t entries_found() {
        try {
            const CheckpointStore store(*comm_, test::place_in(folder_), test::some_identity());
            if (store.resumed() == nullptr) return 0;
            const auto memo = test::read_memo(*store.resumed());
            for (const auto& [index, entry] : memo) EXPECT_EQ(entry, test::memo_entry(index));
            EXPECT_EQ(store.resumed()->text("state"), std::to_string(memo.size()));
            return static_cast<std::int64_t>(memo.size());
        } catch (const FormatError& error) {
            message_ = error.what();
            return -1;
        }
    }

    void flip(const std::string& file, std::uint64_t at, unsigned bit) const {
        std::fstream stream(folder_ + "/" + file, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekg(static_cast<std::streamoff>(at));
        const char byte = static_cast<char>(stream.get() ^ (1 << bit));
        stream.seekp(static_cast<std::streamoff>(at));
        stream.put(byte);
    }

    /// Flips bits all over a file, about `positions` of them, one at a time.
    void expect_after_flips(const std::string& file, std::uint64_t positions, std::int64_t expected) {
        const std::uint64_t size = fs::file_size(folder_ + "/" + file);
        const std::uint64_t stride = std::max<std::uint64_t>(1, size / positions);
        for (std::uint64_t at = 0; at < size; at += stride) {
            const auto bit = static_cast<unsigned>(at % 8);
            flip(file, at, bit);
            ASSERT_EQ(entries_found(), expected) << file << " byte " << at << " bit " << bit;
            flip(file, at, bit);
        }
        ASSERT_EQ(entries_found(), static_cast<std::int64_t>(k_second));
    }

    test::ScratchFolder scratch_;
    std::unique_ptr<comm::Communicator> comm_ = comm::make_self_communicator();
    std::string pristine_ = scratch_.path("pristine");
    std::string folder_ = scratch_.path("ckpt");
    std::string first_;
    std::string second_;
    std::string message_;
};

TEST_F(CheckpointDamageTest, UndamagedItHoldsAll) { EXPECT_EQ(entries_found(), static_cast<std::int64_t>(k_second)); }

TEST_F(CheckpointDamageTest, FlippedBitsOfTheNewestManifestLeaveTheOneBefore) {
    expect_after_flips(second_ + "/manifest.json", 70, k_first);
}

TEST_F(CheckpointDamageTest, FlippedBitsOfTheNewestFileLeaveTheOneBefore) {
    expect_after_flips(second_ + "/rank-0000.h5", 70, k_first);
}

TEST_F(CheckpointDamageTest, FlippedBitsOfASharedFileAreAnError) {
    expect_after_flips(first_ + "/rank-0000.h5", 30, -1);
    EXPECT_THAT(message_, testing::AllOf(HasSubstr("all checkpoints"), HasSubstr(first_ + ": "),
                                         HasSubstr(second_ + ": "), HasSubstr("--resume never --overwrite")));
}

TEST_F(CheckpointDamageTest, TruncatedFilesLeaveTheOneBefore) {
    for (const char* name : {"/manifest.json", "/rank-0000.h5"}) {
        const std::uint64_t size = fs::file_size(folder_ + "/" + second_ + name);
        for (const std::uint64_t left : {std::uint64_t{0}, std::uint64_t{1}, size / 2, size - 1}) {
            fs::resize_file(folder_ + "/" + second_ + name, left);
            EXPECT_EQ(entries_found(), static_cast<std::int64_t>(k_first)) << name << " of " << left << " bytes";
            renew();
        }
    }
}

TEST_F(CheckpointDamageTest, AMissingFileLeavesTheOneBefore) {
    fs::remove(folder_ + "/" + second_ + "/rank-0000.h5");
    EXPECT_EQ(entries_found(), static_cast<std::int64_t>(k_first));
}

TEST_F(CheckpointDamageTest, WithoutAManifestAGenerationWasNeverFinishedAndGoes) {
    fs::remove(folder_ + "/" + second_ + "/manifest.json");
    EXPECT_EQ(entries_found(), static_cast<std::int64_t>(k_first));
    EXPECT_FALSE(fs::exists(folder_ + "/" + second_));
}

TEST_F(CheckpointDamageTest, OnlyUnfinishedGenerationsAreNothing) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ + "/gen-000001.local-0-ab");
    std::ofstream(folder_ + "/gen-000001.local-0-ab/rank-0000.h5.partial-17") << "half";
    std::ofstream(folder_ + "/gen-000001.local-0-ab/manifest.json.partial-17") << "{";
    std::ofstream(folder_ + "/lease.json.partial-17") << "{";
    auto place = test::place_in(folder_);
    place.resume = ResumeMode::require;
    try {
        CheckpointStore(*comm_, place, test::some_identity());
        FAIL() << "there is nothing to go on from";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::no_checkpoint);
        EXPECT_THAT(error.what(), HasSubstr("only unfinished ones"));
    }
    EXPECT_EQ(entries_found(), 0);
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
        EXPECT_THAT(entry.path().filename().string(), testing::StartsWith("lease."));
    CheckpointStore store(*comm_, test::place_in(folder_), test::some_identity());
    EXPECT_EQ(store.begin(0).generation(), 1U);
}

TEST_F(CheckpointDamageTest, ARunGoesOnBehindTheDamageAndClearsIt) {
    flip(second_ + "/rank-0000.h5", 2000, 3);
    {
        CheckpointStore store(*comm_, test::place_in(folder_), test::some_identity());
        ASSERT_EQ(store.resumed()->number(), 1U);
        auto writer = store.begin(k_second);
        EXPECT_EQ(writer.generation(), 3U);
        EXPECT_FALSE(writer.wants_all());
        writer.append<MemoEntry>("memo", test::owned_entries(*comm_, k_first, k_second), test::shard_of_entry);
        writer.put_text("state", std::to_string(k_second));
        ASSERT_TRUE(writer.commit().committed);
    }
    EXPECT_FALSE(fs::exists(folder_ + "/" + second_));
    EXPECT_TRUE(fs::exists(folder_ + "/" + first_ + "/manifest.json"));
    EXPECT_EQ(entries_found(), static_cast<std::int64_t>(k_second));
}

TEST_F(CheckpointDamageTest, ALateGenerationOfAStaleRunDoesNotCount) {
    {
        CheckpointStore store(*comm_, test::place_in(folder_), test::some_identity());
        ASSERT_EQ(store.resumed()->number(), 2U);
        save(store, k_second, k_second + 5);
    }
    fs::copy(pristine_ + "/" + second_, folder_ + "/gen-000009.late", fs::copy_options::recursive);
    EXPECT_EQ(entries_found(), static_cast<std::int64_t>(k_second + 5));
}

}  // namespace
}  // namespace regrove::store
