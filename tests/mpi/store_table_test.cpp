// Tables written and read by several ranks are the same files and the same cells as by one.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/store/table_file.hpp"
#include "regrove/store/table_stream.hpp"

#include "support/mpi_world.hpp"
#include "support/sample_table.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using test::same_cells;
using test::sample_rows;
using test::sample_schema;
using test::world;

constexpr Compression k_compressions[] = {Compression::none, Compression::fast};

/// One folder that all ranks use.
class SharedFolder {
  public:
    SharedFolder() {
        if (world().is_root()) own_.emplace();
        path_ = own_ ? own_->path("") : "";
        world().broadcast(path_);
    }
    ~SharedFolder() { world().barrier(); }
    SharedFolder(const SharedFolder&) = delete;
    SharedFolder& operator=(const SharedFolder&) = delete;
    std::string path(const std::string& name) const { return path_ + name; }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
    }

  private:
    std::optional<test::ScratchFolder> own_;
    std::string path_;
};

std::string read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Where rank r's rows begin: evenly, or unevenly with no rows on some ranks.
using Deal = std::vector<std::uint64_t>;

std::vector<Deal> deals(std::uint64_t rows) {
    const auto size = static_cast<std::size_t>(world().size());
    Deal even;
    for (int rank = 0; rank <= world().size(); ++rank) even.push_back(share_begin(rows, rank, world().size()));
    Deal all_on_last(size + 1, 0);
    all_on_last[size] = rows;
    Deal all_on_first(size + 1, rows);
    all_on_first[0] = 0;
    Deal growing(size + 1, 0);
    for (std::size_t r = 1; r <= size; ++r) growing[r] = rows * r * r / (size * size);
    Deal few(size + 1, rows);  // the second rank holds the rest of the first block and no more
    few[0] = 0;
    few[1] = std::min<std::uint64_t>(rows, 65000);
    if (size > 1) few[2] = std::min<std::uint64_t>(rows, 65500);
    few[size] = rows;
    return {even, all_on_last, all_on_first, growing, few};
}

Hash128 write(const std::string& path, std::uint64_t rows, const Deal& deal, Compression compression,
              std::uint64_t chunk_rows) {
    auto& comm = world();
    TableWriter writer(comm, path, sample_schema(), rows, compression);
    const std::uint64_t begin = deal[static_cast<std::size_t>(comm.rank())];
    const std::uint64_t end = deal[static_cast<std::size_t>(comm.rank()) + 1];
    const std::uint64_t calls = comm.max((end - begin + chunk_rows - 1) / chunk_rows);
    for (std::uint64_t call = 0; call < calls; ++call) {
        const std::uint64_t from = std::min(end, begin + call * chunk_rows);
        writer.write(sample_rows(from, std::min(end, from + chunk_rows), rows));
    }
    return writer.finish();
}

TEST(StoreTable, BytesAndCellsAreTheSameHoweverRowsAreDealt) {
    SharedFolder folder;
    auto self = comm::make_self_communicator();
    for (const std::uint64_t rows : {3UL, 70000UL}) {
        const data::TableShard expected = sample_rows(0, rows, rows);
        const Hash128 hash = data::content_hash(expected);
        for (const auto compression : k_compressions) {
            if (world().is_root()) {
                TableWriter writer(*self, folder.path("one.h5"), sample_schema(), rows, compression);
                writer.write(expected);
                writer.finish();
            }
            world().barrier();
            for (const Deal& deal : deals(rows)) {
                EXPECT_EQ(write(folder.path("t.h5"), rows, deal, compression, 33333), hash);
                if (world().is_root()) {
                    EXPECT_TRUE(read_bytes(folder.path("t.h5")) == read_bytes(folder.path("one.h5")));
                }
                world().barrier();
            }
            const std::uint64_t begin = share_begin(rows, world().rank(), world().size());
            const std::uint64_t end = share_begin(rows, world().rank() + 1, world().size());
            EXPECT_TRUE(same_cells(read_table(world(), folder.path("t.h5")), sample_rows(begin, end, rows)));
            EXPECT_EQ(folder.files(), 2U);
            world().barrier();
        }
    }
}

TEST(StoreTable, StreamMakesTheSameCallsOnAllRanks) {
    SharedFolder folder;
    constexpr std::uint64_t k_rows = 70001;
    write(folder.path("t.h5"), k_rows, deals(k_rows)[0], Compression::fast, 20000);
    const std::uint64_t begin = share_begin(k_rows, world().rank(), world().size());
    const std::uint64_t end = share_begin(k_rows, world().rank() + 1, world().size());
    // A chunk of one row less than the largest share: some ranks need one chunk, some two.
    const std::uint64_t chunk_rows = k_rows / static_cast<std::uint64_t>(world().size());
    TableStream stream(world(), folder.path("t.h5"), chunk_rows, {"name", "count"});
    data::TableShard chunk;
    data::TableShard all = data::make_shard(stream.schema());
    all.first_row = begin;
    std::uint64_t calls = 0;
    for (; stream.next(chunk); ++calls) data::append(all, chunk);
    EXPECT_EQ(calls, world().max(calls));
    const data::TableShard expected = sample_rows(begin, end, k_rows);
    EXPECT_EQ(all.values[0], expected.values[5]);
    EXPECT_EQ(all.values[1], expected.values[2]);
}

TEST(StoreTable, EmptyTable) {
    SharedFolder folder;
    for (const auto compression : k_compressions) {
        EXPECT_EQ(write(folder.path("t.h5"), 0, deals(0)[0], compression, 10), Hash128{});
        EXPECT_EQ(read_table(world(), folder.path("t.h5")).rows, 0U);
    }
}

TEST(StoreTable, ABadCellOnOneRankEndsOnAll) {
    SharedFolder folder;
    TableWriter writer(world(), folder.path("t.h5"), sample_schema(), 100, Compression::none);
    data::TableShard rows = data::make_shard(sample_schema());
    if (world().rank() == world().size() - 1) {
        rows = sample_rows(0, 100, 100);
        std::get<std::vector<std::string>>(rows.values[5])[4] = std::string(1, '\0');
    }
    try {
        writer.write(rows);
        ADD_FAILURE() << "a NUL byte was taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::data);
        EXPECT_NE(std::string(error.what()).find("column 'name'"), std::string::npos) << error.what();
    }
}

TEST(StoreTable, AFileThatIsMissingOrDamagedEndsOnAll) {
    SharedFolder folder;
    EXPECT_THROW(read_table(world(), folder.path("none.h5")), Error);
    constexpr std::uint64_t k_rows = 70000;
    write(folder.path("t.h5"), k_rows, deals(k_rows)[0], Compression::fast, k_rows);
    if (world().is_root()) {
        // A byte of the last third of the file: cells of the last rows, which one rank reads.
        std::fstream file(folder.path("t.h5"), std::ios::binary | std::ios::in | std::ios::out);
        const auto at = static_cast<std::streamoff>(std::filesystem::file_size(folder.path("t.h5")) / 3);
        file.seekg(at);
        const char byte = static_cast<char>(file.get() ^ 1);
        file.seekp(at);
        file.put(byte);
    }
    world().barrier();
    try {
        read_table(world(), folder.path("t.h5"));
        ADD_FAILURE() << "damage went unnoticed";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::data) << error.what();
        EXPECT_NE(std::string(error.what()).find("t.h5"), std::string::npos);
    }
}

/// Lets no file of this process grow beyond `bytes`, as a full disk would.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : old_action_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit limit{bytes, old_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_action_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    void (*old_action_)(int);
    rlimit old_{};
};

TEST(StoreTable, AFullDiskOnOneRankEndsOnAllAndLeavesNothing) {
    SharedFolder folder;
    constexpr std::uint64_t k_rows = 70000;
    for (const auto compression : k_compressions) {
        for (int full = 0; full < world().size(); ++full) {
            std::optional<FileSizeLimit> limit;
            if (world().rank() == full) limit.emplace(full == 0 ? 1300000 : 200000);
            try {
                write(folder.path("t.h5"), k_rows, deals(k_rows)[0], compression, 50000);
                ADD_FAILURE() << "written despite the limit";
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), ExitCode::io) << error.what();
                EXPECT_NE(std::string(error.what()).find("File too large"), std::string::npos) << error.what();
            }
            world().barrier();
            EXPECT_EQ(folder.files(), 0U);
            world().barrier();
        }
    }
}

}  // namespace
}  // namespace regrove::store
