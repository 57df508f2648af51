// The same table, rejects and errors from the same text on any number of ranks, block and piece sizes.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/dist/ingest_text.hpp"
#include "regrove/pipeline/load_table.hpp"

#include "support/mpi_world.hpp"

namespace regrove::dist {
namespace {

using test::world;

/// A file that rank 0 writes and removes.
class TextFile {
  public:
    explicit TextFile(const std::string& text, const std::string& ending = ".csv") {
        static int count = 0;
        std::string id = std::to_string(getpid());
        world().broadcast(id);
        path_ = (std::filesystem::temp_directory_path() / ("regrove_ingest_" + id + "_" + std::to_string(count++)))
                    .string() +
                ending;
        if (world().is_root()) std::ofstream(path_, std::ios::binary) << text;
        world().barrier();
    }
    ~TextFile() {
        world().barrier();
        if (world().is_root()) std::filesystem::remove(path_);
    }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// Everything that must not depend on how it was computed.
struct Outcome {
    data::Schema schema;
    std::string hash;
    std::uint64_t rows = 0;
    std::uint64_t bad_rows = 0;
    std::string rejected_text;
    std::vector<std::string> rejected;
    std::vector<std::string> warnings;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome ingest_on(comm::Communicator& comm, const IngestRequest& request) {
    const auto table = scan_text(comm, request);
    Outcome out;
    out.schema = table->schema();
    out.rows = table->global_rows();
    const auto shard = read_rows(comm, *table);
    const Hash128 own = data::content_hash(shard);
    std::vector<std::uint64_t> lanes{own.low, own.high};
    comm.sum(std::span(lanes));
    out.hash = to_hex({lanes[0], lanes[1]});
    const IngestReport& report = table->report();
    out.bad_rows = report.bad_rows;
    out.warnings = report.warnings;
    out.rejected_text = report.rejected_text;
    out.rejected = report.rejected;
    if (!comm.is_root()) {
        EXPECT_EQ(out.rejected_text, "");
    }
    comm.broadcast(out.rejected_text);
    std::string listed = testing::PrintToString(out.rejected);
    comm.broadcast(listed);
    out.rejected = {listed};
    return out;
}

Outcome ingest_alone(const IngestRequest& request) {
    const auto self = comm::make_self_communicator();
    return ingest_on(*self, request);
}

std::string error_of(comm::Communicator& comm, const IngestRequest& request) {
    try {
        scan_text(comm, request);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// Rows of every type, quotes with line ends and delimiters inside, missing cells and, if asked for, bad rows.
std::string mixed_text(std::uint64_t rows, bool bad) {
    const CounterRandom random(11, 5);
    std::string text = "whole,real,\"na,me\",text,label\r\n";
    const char* const names[] = {"red", "\"gr\"\"een\"", "\"blue,\nwhite\"", "NA", "", "\"a\r\nb\n\"\"c\"\"\""};
    for (std::uint64_t i = 0; i < rows; ++i) {
        text += std::to_string(static_cast<std::int64_t>(random.below(4 * i, 2000)) - 1000) + ",";
        text += std::to_string(random.uniform(4 * i + 1)) + "," + names[random.below(4 * i + 2, 6)] + ",\"t ";
        text += std::to_string(random.below(4 * i + 3, 7)) + (i % 3 == 0 ? "\n\"" : "\"") + ",";
        text += (i % 2 == 0 ? "yes" : "no");
        if (bad && i % 7 == 3) text += ",too many";
        if (bad && i % 11 == 5) text += "\n\"x\"y,1,2,3,4";
        text += i % 5 == 0 ? "\r\n" : i % 5 == 1 ? "\n\n" : "\n";
    }
    return text;
}

TEST(IngestCsv, GivesTheSameTableOnAnyRanksAndBlockSizes) {
    const TextFile file(mixed_text(150, true));
    IngestRequest request;
    request.inputs = {file.path()};
    request.options.target = "label";
    request.options.bad_rows = ingest::BadRowPolicy::skip;
    const Outcome alone = ingest_alone(request);
    EXPECT_EQ(alone.rows, 129U);  // 150 less the 21 rows with a field too many
    EXPECT_EQ(alone.bad_rows, 35U);
    for (const std::size_t block : {1U, 64U, 1000U, 1000000U}) {
        for (const std::uint64_t keep : {std::uint64_t{0}, std::uint64_t{1} << 30U}) {
            request.sizes = {block, block / 3 + 1};
            request.keep_bytes = keep;
            set_thread_count(block == 64 ? 2 : 1);
            EXPECT_EQ(ingest_on(world(), request), alone) << block << ' ' << keep;
        }
    }
    set_thread_count(1);
}

TEST(IngestCsv, SeveralFilesAreOneTableInOrder) {
    const TextFile first("a,b\n1,x\n2,y\n3,x\n");
    const TextFile second("a,b\r4,z\r5,\"x\r\"");
    const TextFile empty("a,b\n");
    IngestRequest request;
    request.inputs = {first.path(), empty.path(), second.path(), first.path()};
    request.sizes = {4, 2};
    const auto table = scan_text(world(), request);
    EXPECT_EQ(table->global_rows(), 8U);
    EXPECT_EQ(table->schema().columns[1].categories, (std::vector<std::string>{"x", "x\r", "y", "z"}));
    const auto shard = read_rows(world(), *table);
    const auto values =
        world().gather_all(std::span<const std::int32_t>(std::get<std::vector<std::int32_t>>(shard.values[0])));
    EXPECT_EQ(values, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 1, 2, 3}));
    const auto codes =
        world().gather_all(std::span<const std::int32_t>(std::get<std::vector<std::int32_t>>(shard.values[1])));
    EXPECT_EQ(codes, (std::vector<std::int32_t>{0, 2, 0, 3, 1, 0, 2, 0}));
}

TEST(IngestCsv, TextsMoveWithTheirRowsWhenTheShareIsEvened) {
    std::string text = "name,v\n" + std::string(400, 'x') + ",0\n";  // the first rank gets few rows
    for (int i = 1; i < 30; ++i)
        text += std::string(static_cast<std::size_t>(i % 4 + 1), 'a') + std::to_string(i) + "," + std::to_string(i) +
                "\n";
    const TextFile file(text);
    IngestRequest request;
    request.inputs = {file.path()};
    request.options.id = {"name"};
    const auto table = scan_text(world(), request);
    const auto shard = read_rows(world(), *table);
    const auto& names = std::get<std::vector<std::string>>(shard.values[0]);
    const auto& values = std::get<std::vector<std::int32_t>>(shard.values[1]);
    ASSERT_EQ(names.size(), shard.rows);
    ASSERT_EQ(values.size(), shard.rows);
    EXPECT_EQ(world().sum(shard.rows), 30U);
    EXPECT_GE(shard.rows, 30U / static_cast<unsigned>(world().size()));
    for (std::size_t i = 0; i < shard.rows; ++i) {
        const auto row = shard.first_row + i;
        EXPECT_EQ(values[i], static_cast<std::int32_t>(row));
        EXPECT_EQ(names[i], row == 0 ? std::string(400, 'x') : std::string(row % 4 + 1, 'a') + std::to_string(row));
    }
}

TEST(IngestCsv, ColumnThatTurnsToTextLateIsACategoryFromItsFirstRow) {
    std::string text = "code,v\n";
    for (int i = 0; i < 40; ++i) text += std::to_string(i % 4) + ".0," + std::to_string(i) + "\n";
    text += "none of them,41\n";
    const TextFile file(text);
    IngestRequest request;
    request.inputs = {file.path()};
    request.sizes = {32, 16};
    const Outcome here = ingest_on(world(), request);
    EXPECT_EQ(here.schema.columns[0].categories,
              (std::vector<std::string>{"0.0", "1.0", "2.0", "3.0", "none of them"}));
    request.sizes = {};
    EXPECT_EQ(ingest_alone(request), here);
}

TEST(IngestCsv, BadRowIsAnErrorOfItsFileLineAndColumn) {
    std::string text = "a,b\n";
    for (int i = 0; i < 60; ++i) text += "\"1\n\",2\n";
    text += "3,4,5\n6,7\n8\n";
    const TextFile file(text);
    IngestRequest request;
    request.inputs = {file.path()};
    request.sizes = {16, 16};
    EXPECT_THAT(error_of(world(), request),
                testing::HasSubstr(file.path() + ":122:1: 3 fields where 2 are expected: '3,4,5'"));
}

TEST(IngestCsv, RefusesWhatWouldBeSilentlyWrong) {
    const auto refusal = [](const std::string& text, const std::string& target = "") {
        const TextFile file(text);
        IngestRequest request;
        request.inputs = {file.path()};
        request.options.target = target;
        request.sizes = {8, 8};
        return error_of(world(), request);
    };
    using testing::HasSubstr;
    EXPECT_THAT(refusal("x,y\n1,2\n1e999,3\n4,5\n"), HasSubstr(":3:1: a number in column 'x' is larger"));
    EXPECT_THAT(refusal("x,y\n1,2\n3,4\n5,-inf\n"), HasSubstr(":4:3: an infinite value in column 'y'"));
    EXPECT_THAT(refusal("x,y\n1,2\n3,12345678901234567891\n"), HasSubstr(":3:3: a whole number in column 'y'"));
    EXPECT_THAT(refusal("x,y\n1,2\n3,\n5,6\n", "y"), HasSubstr(":3:3: the label (column 'y') is missing"));
    EXPECT_THAT(refusal("x,y\n1,2\n3,2\n", "y"), HasSubstr("has the same value in all 2 rows"));
    EXPECT_THAT(refusal("x,y\n1,a\n3,b\n5,c\n", "x"),
                HasSubstr("different text in each of the 3 rows; use --id 'y'"));
    EXPECT_THAT(refusal("x,y\n1,\"2,5\"\n3,\"1,0\"\n"), HasSubstr(":2:4: the texts of column 'y'"));
    EXPECT_THAT(refusal("x,x\n1,2\n"), HasSubstr("columns 0 and 1 both have the name 'x'"));
    EXPECT_THAT(refusal("x,y\n"), HasSubstr("the table is empty"));
    EXPECT_THAT(refusal(""), HasSubstr("the file holds no row"));
    EXPECT_THAT(refusal("x,y\n1,2\n3,4\n", "z"), HasSubstr("target: no column 'z'; the columns are x, y"));
}

TEST(IngestCsv, LabelMapGivesTheClassNumbers) {
    const TextFile file("x,y\n1,no\n2,yes\n3,yes.\n4,no\n");
    IngestRequest request;
    request.inputs = {file.path()};
    request.options.target = "y";
    request.options.label_map = {"yes=0", "yes.=0", "no=1"};
    request.sizes = {4, 4};
    const auto table = scan_text(world(), request);
    EXPECT_EQ(table->schema().columns[1].categories, (std::vector<std::string>{"yes", "no"}));
    const auto shard = read_rows(world(), *table);
    const auto codes =
        world().gather_all(std::span<const std::int32_t>(std::get<std::vector<std::int32_t>>(shard.values[1])));
    EXPECT_EQ(codes, (std::vector<std::int32_t>{1, 0, 0, 1}));
    request.options.label_map = {"yes=0", "no=1"};
    EXPECT_THAT(error_of(world(), request),
                testing::HasSubstr(":4:3: 'yes.' is none of the values given for column 'y'"));
}

TEST(IngestCsv, SchemaFileOverridesInference) {
    const TextFile schema(
        "[[column]]\nname = \"zip\"\ntype = \"int32\"\n[[column]]\nindex = 1\nname = \"size\"\ntype = \"float64\"\n"
        "[[column]]\nname = \"kind\"\ncategories = [\"b\", \"a\"]\n[[column]]\nname = \"y\"\nrole = \"label\"\n",
        ".toml");
    const TextFile file("zip,b,kind,y\n007,1,a,0\n012,2,b,1\nx,3,a,0\n013,4,c,1\n");
    IngestRequest request;
    request.inputs = {file.path()};
    request.options.schema = schema.path();
    request.options.bad_rows = ingest::BadRowPolicy::skip;
    const Outcome out = ingest_on(world(), request);
    EXPECT_EQ(out.rows, 2U);
    EXPECT_EQ(out.rejected_text, "x,3,a,0\n013,4,c,1\n");
    EXPECT_EQ(out.schema.columns[0].type, data::ColumnType::int32);
    EXPECT_EQ(out.schema.columns[1].name, "size");
    EXPECT_EQ(out.schema.columns[1].type, data::ColumnType::float64);
    EXPECT_EQ(out.schema.columns[2].categories, (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(out.schema.columns[3].role, data::ColumnRole::label);
}

TEST(IngestCsv, FileThatOneRankCannotReadIsOneErrorOnAll) {
    IngestRequest request;
    request.inputs = {"no_such_file.csv"};
    EXPECT_THAT(error_of(world(), request), testing::HasSubstr("no_such_file.csv"));
}

TEST(IngestCsv, LoadTableSharesRowsEvenlyAndNeedsNoLabel) {
    const TextFile file("a,b\n1,x\n2,x\n3,y\n4,y\n5,x\n");
    pipeline::TableRequest request{.path = file.path(), .target = {}, .required = {"a"}, .expected = {}};
    const auto shard = pipeline::load_table(world(), request);
    EXPECT_EQ(shard.global_rows, 5U);
    EXPECT_LE(world().max(shard.rows), 5U / static_cast<unsigned>(world().size()) + 1U);
    EXPECT_EQ(world().sum(shard.rows), 5U);
    request.expected.columns.push_back({"a", data::ColumnType::category, data::ColumnRole::feature, {"1", "2"}});
    const auto categories = pipeline::load_table(world(), request);
    EXPECT_EQ(categories.schema.columns[0].categories, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
    request.required = {"a", "c"};
    EXPECT_THROW(pipeline::load_table(world(), request), InputError);
}

}  // namespace
}  // namespace regrove::dist
