// Tables come back from the file as they were written, whatever the cut into chunks.
#include "regrove/store/table_file.hpp"

#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/store/table_stream.hpp"

#include "support/sample_table.hpp"
#include "support/scratch_folder.hpp"

namespace regrove::store {
namespace {

using test::same_cells;
using test::sample_rows;
using test::sample_schema;
using testing::HasSubstr;

constexpr Compression k_compressions[] = {Compression::none, Compression::fast, Compression::small};

class TableFile : public testing::Test {
  protected:
    /// Writes sample rows in chunks of `chunk_rows`.
    Hash128 write(const std::string& path, std::uint64_t rows, Compression compression, std::uint64_t chunk_rows) {
        TableWriter writer(*comm_, path, sample_schema(), rows, compression);
        for (std::uint64_t begin = 0; begin < rows; begin += chunk_rows) {
            writer.write(sample_rows(begin, std::min(rows, begin + chunk_rows), rows));
        }
        return writer.finish();
    }
    std::string read_bytes(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::size_t files_in_folder() {
        const std::filesystem::path folder = folder_.path("");
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
    }

    test::ScratchFolder folder_;
    std::unique_ptr<comm::Communicator> comm_ = comm::make_self_communicator();
};

TEST_F(TableFile, EveryTypeComesBack) {
    for (const auto compression : k_compressions) {
        for (const std::uint64_t rows : {1UL, 2UL, 1000UL, 65536UL, 70001UL}) {
            const std::string path = folder_.path("t.h5");
            const Hash128 hash = write(path, rows, compression, 40000);
            const data::TableShard expected = sample_rows(0, rows, rows);
            EXPECT_EQ(hash, data::content_hash(expected));
            const data::TableShard read = read_table(*comm_, path);
            EXPECT_TRUE(same_cells(read, expected)) << rows << " rows, compression " << int(compression);
            EXPECT_EQ(read.global_rows, rows);
            EXPECT_TRUE(is_hdf5_file(path));
            EXPECT_EQ(files_in_folder(), 1U) << "no temporary may stay";
        }
    }
}

TEST_F(TableFile, InfoTellsSchemaRowsAndHashes) {
    const Hash128 hash = write(folder_.path("t.h5"), 100, Compression::fast, 100);
    const TableFileInfo info = read_table_info(*comm_, folder_.path("t.h5"));
    EXPECT_EQ(info.schema, sample_schema());
    EXPECT_EQ(info.rows, 100U);
    EXPECT_EQ(info.content_hash, hash);
    EXPECT_EQ(info.column_hashes, data::column_hashes(sample_rows(0, 100, 100)));
}

TEST_F(TableFile, EmptyTable) {
    for (const auto compression : k_compressions) {
        EXPECT_EQ(write(folder_.path("t.h5"), 0, compression, 1), Hash128{});
        const data::TableShard read = read_table(*comm_, folder_.path("t.h5"));
        EXPECT_EQ(read.schema, sample_schema());
        EXPECT_EQ(read.rows, 0U);
        ASSERT_EQ(read.values.size(), sample_schema().columns.size());
        EXPECT_EQ(data::row_count(read.values[5]), 0U);
    }
}

TEST_F(TableFile, BytesDoNotDependOnTheCut) {
    for (const auto compression : k_compressions) {
        write(folder_.path("a.h5"), 70000, compression, 70000);
        write(folder_.path("b.h5"), 70000, compression, 9999);
        EXPECT_TRUE(read_bytes(folder_.path("a.h5")) == read_bytes(folder_.path("b.h5"))) << int(compression);
    }
}

TEST_F(TableFile, CompressionMakesSmallerFiles) {
    for (const auto compression : k_compressions) {
        write(folder_.path(std::to_string(int(compression))), 70000, compression, 70000);
    }
    EXPECT_LT(std::filesystem::file_size(folder_.path("1")), std::filesystem::file_size(folder_.path("0")) * 9 / 10);
    EXPECT_LE(std::filesystem::file_size(folder_.path("2")), std::filesystem::file_size(folder_.path("1")));
}

TEST_F(TableFile, NamedColumnsComeInTheOrderAsked) {
    write(folder_.path("t.h5"), 1000, Compression::none, 1000);
    const data::TableShard read = read_table(*comm_, folder_.path("t.h5"), {"sick", "height"});
    const data::TableShard all = sample_rows(0, 1000, 1000);
    ASSERT_EQ(read.values.size(), 2U);
    EXPECT_EQ(read.schema.columns[0], sample_schema().columns[6]);
    EXPECT_EQ(read.values[0], all.values[6]);
    EXPECT_EQ(std::get<std::vector<double>>(read.values[1])[0], std::get<std::vector<double>>(all.values[1])[0]);
    try {
        read_table(*comm_, folder_.path("t.h5"), {"sick", "weight", "age"});
        FAIL() << "unknown columns were taken";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("has no column 'weight', 'age'"));
        EXPECT_THAT(error.what(), HasSubstr("'height', 'count'"));
    }
}

TEST_F(TableFile, StreamGivesTheSameRowsInChunks) {
    constexpr std::uint64_t k_rows = 70000;
    for (const auto compression : k_compressions) {
        write(folder_.path("t.h5"), k_rows, compression, 50000);
        for (const std::uint64_t chunk_rows : {30000UL, 1000000UL}) {
            TableStream stream(*comm_, folder_.path("t.h5"), chunk_rows);
            data::TableShard chunk;
            std::uint64_t next = 0;
            while (stream.next(chunk)) {
                const std::uint64_t end = std::min(k_rows, next + chunk_rows);
                EXPECT_TRUE(same_cells(chunk, sample_rows(next, end, k_rows)));
                next = end;
            }
            EXPECT_EQ(next, k_rows);
            EXPECT_EQ(chunk.rows, 0U);
            EXPECT_FALSE(stream.next(chunk));
        }
    }
}

TEST_F(TableFile, SharesDifferByOneRowAtMostAndCoverAll) {
    for (const std::uint64_t rows : {0UL, 1UL, 3UL, 10UL, 1001UL}) {
        for (const int size : {1, 2, 3, 4, 7}) {
            EXPECT_EQ(share_begin(rows, 0, size), 0U);
            EXPECT_EQ(share_begin(rows, size, size), rows);
            for (std::uint64_t row = 0; row < rows; ++row) {
                const int rank = static_cast<int>(row * static_cast<std::uint64_t>(size) / rows);
                EXPECT_GE(row, share_begin(rows, rank, size));
                EXPECT_LT(row, share_begin(rows, rank + 1, size));
            }
        }
    }
    EXPECT_EQ(share_begin(std::uint64_t{1} << 62U, 3, 4), std::uint64_t{3} << 60U);
}

TEST_F(TableFile, NothingStaysWithoutFinish) {
    for (const auto compression : k_compressions) {
        {
            TableWriter writer(*comm_, folder_.path("t.h5"), sample_schema(), 100000, compression);
            writer.write(sample_rows(0, 70000, 100000));
        }
        EXPECT_EQ(files_in_folder(), 0U);
    }
}

TEST_F(TableFile, MissingOrMisplacedRowsAreBugs) {
    for (const auto compression : k_compressions) {
        TableWriter writer(*comm_, folder_.path("t.h5"), sample_schema(), 100, compression);
        writer.write(sample_rows(0, 50, 100));
        EXPECT_THROW(writer.write(sample_rows(60, 100, 100)), InternalError);
        EXPECT_THROW(writer.finish(), InternalError);
    }
    EXPECT_EQ(files_in_folder(), 0U);
}

TEST_F(TableFile, WritingErrorsAreTheSystems) {
    try {
        write(folder_.path("no/such/folder/t.h5"), 10, Compression::none, 10);
        FAIL() << "written into a folder that is not there";
    } catch (const IoError& error) {
        EXPECT_THAT(error.what(), HasSubstr("No such file"));
        EXPECT_EQ(error.code(), ExitCode::io);
    }
}

TEST_F(TableFile, TextsWithNulAreRefused) {
    data::TableShard rows = sample_rows(0, 3, 3);
    std::get<std::vector<std::string>>(rows.values[5])[1] = std::string("a\0b", 3);
    TableWriter writer(*comm_, folder_.path("t.h5"), sample_schema(), 3, Compression::none);
    EXPECT_THROW(writer.write(rows), InputError);
}

TEST_F(TableFile, ReplacesAnExistingFileOnlyAtTheEnd) {
    const std::string path = folder_.write("t.h5", "old");
    TableWriter writer(*comm_, path, sample_schema(), 3, Compression::none);
    writer.write(sample_rows(0, 3, 3));
    EXPECT_EQ(read_bytes(path), "old");
    writer.finish();
    EXPECT_TRUE(is_hdf5_file(path));
}

}  // namespace
}  // namespace regrove::store
