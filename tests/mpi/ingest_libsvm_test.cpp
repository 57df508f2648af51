// The same table, rejects and errors from the same LibSVM and idx files on any number of ranks and block sizes.
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/data/content_hash.hpp"
#include "regrove/dist/ingest_table.hpp"
#include "regrove/pipeline/load_table.hpp"
#include "regrove/store/table_file.hpp"

#include "support/mpi_world.hpp"

namespace regrove::dist {
namespace {

using test::world;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string k_images = std::string(REGROVE_TEST_DATA) + "/idx/mnist_100_images.idx3.gz";
const std::string k_labels = std::string(REGROVE_TEST_DATA) + "/idx/mnist_100_labels.idx1.gz";

/// A file that rank 0 writes and removes.
class InputFile {
  public:
    explicit InputFile(const std::string& bytes, bool gzip = false) {
        static int count = 0;
        std::string id = std::to_string(getpid());
        world().broadcast(id);
        const std::string name = "regrove_libsvm_" + id + "_" + std::to_string(count++);
        path_ = (std::filesystem::temp_directory_path() / name).string();
        if (world().is_root()) gzip ? write_gzip(bytes) : write(bytes);
        world().barrier();
    }
    ~InputFile() {
        world().barrier();
        if (world().is_root()) std::filesystem::remove(path_);
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    const std::string& path() const { return path_; }

  private:
    void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
    void write_gzip(const std::string& bytes) const {
        gzFile file = gzopen(path_.c_str(), "wb");
        ASSERT_NE(file, nullptr);
        EXPECT_EQ(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
        gzclose(file);
    }
    std::string path_;
};

/// Everything that must not depend on how it was computed.
struct Outcome {
    data::Schema schema;
    std::string hash;
    std::uint64_t rows = 0;
    std::uint64_t bad_rows = 0;
    std::string rejected_text;
    std::string rejected;
    std::vector<std::string> warnings;
    std::string read_as;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome ingest_on(comm::Communicator& comm, const IngestRequest& request) {
    const auto table = scan_table(comm, request);
    Outcome out;
    out.schema = table->schema();
    out.rows = table->global_rows();
    const auto shard = read_rows(comm, *table);
    EXPECT_EQ(shard.first_row, store::share_begin(out.rows, comm.rank(), comm.size()));
    EXPECT_EQ(comm.sum(shard.rows), out.rows);
    const Hash128 own = data::content_hash(shard);
    std::vector<std::uint64_t> lanes{own.low, own.high};
    comm.sum(std::span(lanes));
    out.hash = to_hex({lanes[0], lanes[1]});
    const IngestReport& report = table->report();
    out.bad_rows = report.bad_rows;
    out.warnings = report.warnings;
    out.read_as = report.read_as;
    out.rejected_text = report.rejected_text;
    out.rejected = testing::PrintToString(report.rejected);
    comm.broadcast(out.rejected_text);
    comm.broadcast(out.rejected);
    return out;
}

Outcome ingest_alone(const IngestRequest& request) {
    const auto self = comm::make_self_communicator();
    return ingest_on(*self, request);
}

std::string error_of(const IngestRequest& request) {
    try {
        scan_table(world(), request);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// A column's cells of all ranks, in row order.
std::vector<double> column(const data::TableShard& shard, const std::string& name) {
    const std::size_t c = shard.schema.find(name).value();
    std::vector<double> cells;
    for (std::size_t row = 0; row < shard.rows; ++row)
        cells.push_back(data::as_double(shard.schema.columns[c].type, shard.values[c], row));
    return world().gather_all(std::span<const double>(cells));
}

data::TableShard rows_of(const IngestRequest& request) {
    const auto table = scan_table(world(), request);
    return read_rows(world(), *table);
}

/// Rows of one to six cells, comments and all three line ends; index `first` occurs.
std::string sparse_text(std::uint64_t rows, std::uint64_t first, bool groups, bool bad) {
    const CounterRandom random(7, 3);
    std::string text = "# made here\n";
    for (std::uint64_t i = 0; i < rows; ++i) {
        text += std::to_string(random.below(10 * i, 3));
        if (groups) text += " qid:" + std::to_string(i / 5);
        std::uint64_t index = first + (i == 0 ? 0 : random.below(10 * i + 1, 4));
        for (std::uint64_t k = 0; k < 1 + i % 6; ++k) {
            text += " " + std::to_string(index) + ":" + std::to_string(random.uniform(10 * i + 2 + k));
            index += 1 + random.below(10 * i + 9, 4);
        }
        if (bad && i > 9 && i % 7 == 2) text += " no:number";
        text += i % 5 == 0 ? "\r\n" : i % 5 == 1 ? "\n\n" : i % 5 == 2 ? " # why\r" : "\n";
    }
    return text;
}

TEST(IngestLibsvm, GivesTheSameTableOnAnyRanksAndBlockSizes) {
    for (const std::uint64_t first : {0U, 1U}) {
        const InputFile file(sparse_text(150, first, true, true));
        IngestRequest request;
        request.inputs = {file.path()};
        request.options.bad_rows = ingest::BadRowPolicy::skip;
        const Outcome alone = ingest_alone(request);
        EXPECT_EQ(alone.rows, 130U);
        EXPECT_EQ(alone.bad_rows, 20U);
        EXPECT_EQ(alone.read_as, "LibSVM, indices from " + std::to_string(first) + ", absent cells are 0");
        EXPECT_THAT(alone.rejected_text, HasSubstr(" no:number"));
        EXPECT_EQ(alone.schema.columns[1].role, data::ColumnRole::group);
        EXPECT_EQ(alone.schema.columns[2].name, "f" + std::to_string(first));
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
}

TEST(IngestLibsvm, CompressedAndPlainFilesAreOneTableInOrder) {
    const std::string text = sparse_text(40, 1, false, false);
    const InputFile plain(text);
    const InputFile packed(text, true);
    const InputFile empty("");
    const InputFile last("2 1:5 9:NA\n");
    IngestRequest request;
    request.inputs = {empty.path(), packed.path(), plain.path(), last.path()};
    const Outcome alone = ingest_alone(request);
    EXPECT_EQ(alone.rows, 81U);
    EXPECT_EQ(ingest_on(world(), request), alone);
    request.inputs = {plain.path(), plain.path(), last.path()};
    EXPECT_EQ(ingest_on(world(), request).hash, alone.hash);
}

TEST(IngestLibsvm, ValuesStandWhereTheTextSays) {
    const InputFile file("1 qid:4 1:0.5 3:2\n0 qid:4 2:-1\n1 qid:5 3:7 1:1e300\n");
    IngestRequest request;
    request.inputs = {file.path()};
    const auto zeros = rows_of(request);
    EXPECT_THAT(column(zeros, "label"), ElementsAre(1, 0, 1));
    EXPECT_THAT(column(zeros, "qid"), ElementsAre(4, 4, 5));
    EXPECT_THAT(column(zeros, "f1"), ElementsAre(0.5, 0, 1e300));
    EXPECT_THAT(column(zeros, "f2"), ElementsAre(0, -1, 0));
    EXPECT_THAT(column(zeros, "f3"), ElementsAre(2, 0, 7));
    request.libsvm.absent = ingest::AbsentCell::missing;
    request.libsvm.index_base = ingest::IndexBase::zero;
    const auto missing = rows_of(request);
    EXPECT_THAT(column(missing, "f2"), ElementsAre(testing::IsNan(), -1, testing::IsNan()));
    EXPECT_THAT(column(missing, "f0"), testing::Each(testing::IsNan()));
}

TEST(IngestLibsvm, ConstantColumnsShareOneWarning) {
    const InputFile file("1 1:2 2:1 4:3\n0 1:2 2:2 4:3\n");
    IngestRequest request;
    request.inputs = {file.path()};
    request.libsvm.index_base = ingest::IndexBase::one;
    EXPECT_THAT(ingest_on(world(), request).warnings,
                ElementsAre("3 columns have the same value in all rows: f1, f3, f4"));
    request.libsvm.absent = ingest::AbsentCell::missing;
    EXPECT_THAT(ingest_on(world(), request).warnings, ElementsAre("2 columns have the same value in all rows: f1, f4",
                                                                  "column 'f3' has no value in any row"));
}

TEST(IngestLibsvm, ErrorsNameFileLineAndColumnOnAllRanks) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += std::to_string(i % 2) + " 1:1 2:" + std::to_string(i) + "\n\n";
    const auto refusal = [](const std::string& bytes) {
        const InputFile file(bytes);
        IngestRequest request;
        request.inputs = {file.path()};
        request.sizes = {16, 16};
        const std::string error = error_of(request);
        return error.starts_with(file.path()) ? error.substr(file.path().size()) : error;
    };
    EXPECT_THAT(refusal(text + "1 1:1 2:x\n1 y\n"), HasSubstr(":121:9: value in '2:x' is no number"));
    EXPECT_THAT(refusal(text + "1 qid:3 1:1\n"), HasSubstr(":121:1: this row has a qid"));
    EXPECT_THAT(refusal(text + "1 1:1e999\n"), HasSubstr(":121:5: value in '1:1e999' is too large"));
    EXPECT_THAT(refusal("1 1:1\n1 2:1\n"), HasSubstr("label (column 'label') has the same value in all 2 rows"));
    EXPECT_THAT(refusal("1 1:1\n0 70000:1\n"), HasSubstr("--max-columns"));
}

TEST(IngestLibsvm, RefusesOptionsThatAreOfNoUse) {
    const InputFile file("1 1:1\n0 1:2\n");
    IngestRequest request;
    request.inputs = {file.path()};
    request.options.weight = "f1";
    EXPECT_THAT(error_of(request), HasSubstr("weight: of no use for LibSVM input"));
    request.options.weight = "";
    request.options.target = "f1";
    EXPECT_THAT(error_of(request), HasSubstr("target: LibSVM input has no column 'f1' for it but 'label'"));
    request.options.target = "label";
    EXPECT_EQ(error_of(request), "");
    request.format = InputFormat::delimited;
    request.libsvm.index_base = ingest::IndexBase::one;
    EXPECT_THAT(error_of(request), HasSubstr("index_base: of no use for delimited input"));
}

TEST(IngestLibsvm, LoadTableHasTheColumnsOfTheModel) {
    const InputFile file("1 2:3\n");
    pipeline::TableRequest request{.path = file.path(), .target = {}, .required = {"f0", "f5"}, .expected = {}};
    for (const char* const name : {"f0", "f2", "f5"})
        request.expected.columns.push_back({name, data::ColumnType::float64, data::ColumnRole::feature, {}});
    const auto shard = pipeline::load_table(world(), request);
    EXPECT_EQ(shard.schema.columns.size(), 7U);
    EXPECT_THAT(column(shard, "f0"), ElementsAre(0));
    EXPECT_THAT(column(shard, "f2"), ElementsAre(3));
    EXPECT_THAT(column(shard, "f5"), ElementsAre(0));
}

TEST(IngestIdx, ImagesAndLabelsInAnyOrderOnAnyRanks) {
    IngestRequest request;
    request.inputs = {k_images, k_labels};
    const Outcome alone = ingest_alone(request);
    EXPECT_EQ(alone.rows, 100U);
    EXPECT_EQ(alone.schema.columns.size(), 785U);
    EXPECT_EQ(alone.read_as, "idx, with labels");
    EXPECT_THAT(alone.warnings, ElementsAre(HasSubstr("columns have the same value in all rows: pixel_0_0")));
    request.inputs = {k_labels, k_images};
    for (const std::uint64_t keep : {std::uint64_t{0}, std::uint64_t{1} << 30U}) {
        request.keep_bytes = keep;
        EXPECT_EQ(ingest_on(world(), request), alone) << keep;
    }
    const auto shard = rows_of(request);
    const auto labels = column(shard, "label");
    EXPECT_EQ(std::vector<double>(labels.begin(), labels.begin() + 5), (std::vector<double>{7, 2, 1, 0, 4}));
}

TEST(IngestIdx, RefusesOneClassAndLabelsOfOtherRows) {
    using namespace std::string_literals;
    const std::string head = "\0\0\x08\x01\0\0\0\x03"s;
    const InputFile labels(head + "\1\1\1"s);
    const InputFile cells("\0\0\x08\x02\0\0\0\x03\0\0\0\x01"s + "abc"s);
    IngestRequest request;
    request.inputs = {cells.path(), labels.path()};
    EXPECT_THAT(error_of(request), HasSubstr("label (column 'label') has the same value in all 3 rows"));
    request.options.refuse_useless = false;
    EXPECT_THAT(column(rows_of(request), "pixel_0"), ElementsAre('a', 'b', 'c'));
    request.inputs = {cells.path(), k_labels};
    EXPECT_THAT(error_of(request), HasSubstr("100 labels"));
}

}  // namespace
}  // namespace regrove::dist
