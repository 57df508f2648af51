// A memo's file comes back as it was written, appears only when complete, and damage never passes for proven bounds.
#include "regrove/store/memo_file.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"

#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using testing::HasSubstr;

constexpr std::int64_t k_rules = 7;

MemoRecord record_of(std::uint64_t i) {
    const CounterRandom random(5, 0x7465737400000002U);
    return {random.bits(i), 100 + i / 3, static_cast<std::uint32_t>(i % 11), static_cast<std::uint32_t>(11 + i % 5)};
}

/// Sorted: of three with the same high half the low halves are.
std::vector<MemoRecord> records(std::uint64_t count) {
    std::vector<MemoRecord> made;
    for (std::uint64_t i = 0; i < count; ++i) made.push_back(record_of(i));
    std::sort(made.begin(), made.end(), before);
    return made;
}

void write(const std::string& path, const std::vector<MemoRecord>& all) {
    MemoFileWriter writer(path, k_rules);
    for (const MemoRecord& record : all) writer.append(record);
    EXPECT_EQ(writer.records(), all.size());
    writer.commit();
}

std::vector<MemoRecord> read(const std::string& path) {
    MemoFileReader reader(path, k_rules);
    std::vector<MemoRecord> all;
    for (auto piece = reader.next(); !piece.empty(); piece = reader.next())
        all.insert(all.end(), piece.begin(), piece.end());
    EXPECT_EQ(all.size(), reader.records());
    return all;
}

class StoreMemoFile : public testing::Test {
  protected:
    std::string path() const { return folder_.path("m.memo"); }
    std::string bytes() const {
        std::ifstream file(path(), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void set_bytes(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }
    std::size_t files() const {
        const auto all = std::filesystem::directory_iterator(folder_.path(""));
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }
    test::ScratchFolder folder_;
};

TEST_F(StoreMemoFile, ComesBackAsItWasWritten) {
    for (const std::uint64_t count : {0U, 1U, 65536U, 65537U, 600001U}) {
        const auto all = records(count);
        write(path(), all);
        EXPECT_TRUE(read(path()) == all) << count;
        const std::string first = bytes();
        write(path(), all);
        EXPECT_TRUE(bytes() == first) << count;
    }
}

TEST_F(StoreMemoFile, AppearsOnlyWhenComplete) {
    write(path(), records(10));
    const std::string old = bytes();
    {
        MemoFileWriter writer(path(), k_rules);
        for (const MemoRecord& record : records(300000)) writer.append(record);
    }
    EXPECT_TRUE(bytes() == old);
    EXPECT_EQ(files(), 1U);
}

TEST_F(StoreMemoFile, KeysMustRise) {
    MemoFileWriter writer(path(), k_rules);
    writer.append(record_of(9));
    EXPECT_THROW(writer.append(record_of(9)), InternalError);
    EXPECT_THROW(writer.append(record_of(3)), InternalError);
}

TEST_F(StoreMemoFile, OthersFilesAreRefused) {
    EXPECT_THROW(read(folder_.path("none")), IoError);
    EXPECT_THROW(read(folder_.path("")), IoError);
    set_bytes("no HDF5 at all");
    EXPECT_THROW(read(path()), FormatError);
    write(path(), records(10));
    try {
        MemoFileReader(path(), k_rules + 1);
        ADD_FAILURE() << "a memo of other rules was taken";
    } catch (const FormatError& error) {
        EXPECT_THAT(error.what(), HasSubstr(path()));
        EXPECT_THAT(error.what(), HasSubstr("another version"));
    }
}

/// A flipped bit is found, or lies where nothing is read from.
TEST_F(StoreMemoFile, DamageIsFoundEverywhere) {
    const auto all = records(400);
    write(path(), all);
    const std::string good = bytes();
    std::size_t found = 0;
    std::size_t tried = 0;
    for (std::size_t at = 0; at < good.size(); at += 7, ++tried) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
        set_bytes(bad);
        try {
            EXPECT_TRUE(read(path()) == all) << at;
        } catch (const Error&) {
            ++found;
        }
    }
    EXPECT_GT(found, tried * 8 / 10);
    for (std::size_t size = 0; size < good.size(); size += 331) {
        set_bytes(good.substr(0, size));
        EXPECT_THROW(read(path()), Error) << size;
    }
}

}  // namespace
}  // namespace regrove::store
