// idx files made here and a cut of MNIST: values, row ranges, damage.
#include "regrove/ingest/idx.hpp"

#include <bit>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "regrove/core/error.hpp"

#include "support/scratch_folder.hpp"

namespace regrove::ingest {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string k_images = std::string(REGROVE_TEST_DATA) + "/idx/mnist_100_images.idx3.gz";
const std::string k_labels = std::string(REGROVE_TEST_DATA) + "/idx/mnist_100_labels.idx1.gz";

template <class Bits>
std::string big_endian(Bits value) {
    std::string bytes;
    for (std::size_t i = sizeof(Bits); i-- > 0;) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

std::string header(IdxType type, const std::vector<std::uint32_t>& dimensions) {
    std::string bytes{'\0', '\0', static_cast<char>(type), static_cast<char>(dimensions.size())};
    for (const auto dimension : dimensions) bytes += big_endian(dimension);
    return bytes;
}

std::string gzip(const std::string& path, const std::string& bytes) {
    gzFile file = gzopen(path.c_str(), "wb");
    EXPECT_EQ(gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size())), static_cast<int>(bytes.size()));
    EXPECT_EQ(gzclose(file), Z_OK);
    return path;
}

data::TableShard read_rows(const IdxInput& input, RowIndex begin, RowIndex end, std::size_t step = 7) {
    auto out = data::make_shard(input.schema);
    IdxRows rows(input, begin, end);
    while (rows.next(step, out) > 0) {
    }
    EXPECT_EQ(out.rows, end - begin);
    return out;
}

data::TableShard read_all(const std::vector<std::string>& files) {
    const IdxInput input = inspect_idx(files, 65536);
    return read_rows(input, 0, input.rows);
}

template <class E>
std::string message_of(const std::vector<std::string>& files, std::uint64_t max_columns = 65536) {
    try {
        const IdxInput input = inspect_idx(files, max_columns);
        read_rows(input, 0, input.rows);
    } catch (const E& error) {
        return error.what();
    }
    return "no such error";
}

std::vector<double> column(const data::TableShard& table, std::size_t c) {
    std::vector<double> cells;
    for (std::size_t r = 0; r < table.rows; ++r) {
        cells.push_back(data::as_double(table.schema.columns[c].type, table.values[c], r));
    }
    return cells;
}

class IdxTest : public testing::Test {
  protected:
    test::ScratchFolder folder_;
};

TEST_F(IdxTest, ReadsMnistInAnyOrderOfFiles) {
    for (const auto& files : {std::vector{k_images, k_labels}, std::vector{k_labels, k_images}}) {
        const auto table = read_all(files);
        ASSERT_EQ(table.rows, 100U);
        ASSERT_EQ(table.schema.columns.size(), 785U);
        EXPECT_EQ(table.schema.columns[0].role, data::ColumnRole::label);
        EXPECT_EQ(table.schema.columns[1].name, "pixel_0_0");
        EXPECT_EQ(table.schema.columns[203].name, "pixel_7_6");
        auto labels = std::get<std::vector<std::int32_t>>(table.values[0]);
        labels.resize(10);
        EXPECT_THAT(labels, ElementsAre(7, 2, 1, 0, 4, 1, 4, 9, 5, 9));
        EXPECT_EQ(std::get<std::vector<float>>(table.values[203])[0], 84);
        EXPECT_EQ(std::get<std::vector<float>>(table.values[204])[0], 185);
        double total = 0;
        double last = 0;
        for (std::size_t c = 1; c < 785; ++c) {
            const auto& pixels = std::get<std::vector<float>>(table.values[c]);
            total = std::accumulate(pixels.begin(), pixels.end(), total);
            last += pixels[99];
        }
        EXPECT_EQ(total, 2396707);
        EXPECT_EQ(last, 30655);
    }
}

TEST_F(IdxTest, RowRangesJoinToTheWholePlainAndCompressed) {
    std::string cells = header(IdxType::uint8, {23, 2, 3});
    std::string labels = header(IdxType::uint8, {23});
    for (int i = 0; i < 23 * 6; ++i) cells += static_cast<char>(i * 37);
    for (int i = 0; i < 23; ++i) labels += static_cast<char>(250 + i % 3);
    const std::vector<std::string> plain = {folder_.write("c", cells), folder_.write("l", labels)};
    const std::vector<std::string> packed = {gzip(folder_.path("c.gz"), cells), gzip(folder_.path("l.gz"), labels)};
    const auto whole = read_all(plain);
    EXPECT_EQ(column(whole, 6)[22], (22 * 6 + 5) * 37 % 256);
    EXPECT_EQ(column(whole, 0)[4], 251);
    for (const auto& files : {plain, packed}) {
        const IdxInput input = inspect_idx(files, 100);
        EXPECT_EQ(input.rows, 23U);
        EXPECT_EQ(read_rows(input, 0, 23).values, whole.values);
        auto joined = read_rows(input, 0, 9);
        data::append(joined, read_rows(input, 9, 9));
        data::append(joined, read_rows(input, 9, 10));
        data::append(joined, read_rows(input, 10, 23, 1000));
        EXPECT_EQ(joined.values, whole.values);
    }
}

TEST_F(IdxTest, ReadsEveryCellType) {
    const auto cells_of = [&](IdxType type, const std::string& bytes) {
        return read_all({folder_.write("cells", header(type, {2}) + bytes)});
    };
    const auto signed_bytes = cells_of(IdxType::int8, "\x80\x7f");
    EXPECT_EQ(signed_bytes.schema.columns[0].name, "pixel");
    EXPECT_THAT(std::get<std::vector<float>>(signed_bytes.values[0]), ElementsAre(-128, 127));
    const auto shorts = cells_of(IdxType::int16, "\x80\x01\x01\x02");
    EXPECT_THAT(std::get<std::vector<float>>(shorts.values[0]), ElementsAre(-32767, 258));
    const auto integers = cells_of(IdxType::int32, big_endian(0x7fffffffU) + big_endian(0xfffffffeU));
    EXPECT_THAT(std::get<std::vector<std::int32_t>>(integers.values[0]), ElementsAre(2147483647, -2));
    const auto floats = cells_of(IdxType::float32, big_endian(std::bit_cast<std::uint32_t>(0.1F)) +
                                                       big_endian(std::bit_cast<std::uint32_t>(std::nanf(""))));
    EXPECT_EQ(std::get<std::vector<float>>(floats.values[0])[0], 0.1F);
    EXPECT_TRUE(std::isnan(std::get<std::vector<float>>(floats.values[0])[1]));
    const auto doubles = cells_of(IdxType::float64, big_endian(std::bit_cast<std::uint64_t>(0.1)) +
                                                        big_endian(std::bit_cast<std::uint64_t>(-1e300)));
    EXPECT_THAT(std::get<std::vector<double>>(doubles.values[0]), ElementsAre(0.1, -1e300));
}

TEST_F(IdxTest, RefusesCellsThatATableCannotHold) {
    const std::string infinite = header(IdxType::float32, {1, 2}) + big_endian(0U) + big_endian(0x7f800000U);
    EXPECT_THAT(message_of<InputError>({folder_.write("inf", infinite)}),
                AllOf(HasSubstr("inf"), HasSubstr("cell 1 of row 0 is infinite")));
    const std::string lowest = header(IdxType::int32, {2}) + big_endian(0U) + big_endian(0x80000000U);
    EXPECT_THAT(message_of<InputError>({folder_.write("low", lowest)}), HasSubstr("cell 0 of row 1 is -2147483648"));
}

TEST_F(IdxTest, DamageIsNamed) {
    const std::string good = header(IdxType::uint8, {3, 2}) + "abcdef";
    const auto message = [&](const std::string& bytes) {
        return message_of<FormatError>({folder_.write("x", bytes)});
    };
    EXPECT_THAT(message(good), HasSubstr("no such error"));
    EXPECT_THAT(message(""), HasSubstr("is no idx file"));
    EXPECT_THAT(message("1,2,3\n4,5,6\n"), HasSubstr("is no idx file"));
    EXPECT_THAT(message(std::string("\0\0\x0a\x01\0\0\0\x01z", 9)), HasSubstr("is no idx file"));
    EXPECT_THAT(message(std::string("\0\0\x08\0", 4)), HasSubstr("is no idx file"));
    EXPECT_THAT(message(good.substr(0, 9)), HasSubstr("ends within its idx header"));
    EXPECT_THAT(message(good.substr(0, 17)),
                AllOf(HasSubstr("has 17 bytes"), HasSubstr("asks for 18: it is truncated")));
    EXPECT_THAT(message(good + "g"), HasSubstr("longer than it may be"));
    EXPECT_THAT(message(header(IdxType::uint8, {3, 0})), HasSubstr("dimension 2 is 0"));
    EXPECT_THAT(message(header(IdxType::float64, {0xffffffffU, 0xffffffffU, 0xffffffffU})), HasSubstr("2^62"));
    const auto packed = [&](const std::string& bytes) {
        return message_of<FormatError>({gzip(folder_.path("y"), bytes)});
    };
    EXPECT_THAT(packed(good), HasSubstr("no such error"));
    EXPECT_THAT(packed(good.substr(0, 17)), HasSubstr("is truncated: it ends before the 3 rows"));
    EXPECT_THAT(packed(good + "g"), HasSubstr("goes on behind the rows"));
}

TEST_F(IdxTest, FilesThatDoNotBelongTogether) {
    const std::string cells = folder_.write("cells", header(IdxType::uint8, {3, 2}) + "abcdef");
    const std::string labels = folder_.write("labels", header(IdxType::uint8, {2}) + "ab");
    EXPECT_THAT(message_of<InputError>({cells, labels}), AllOf(HasSubstr("3 rows"), HasSubstr("2 labels")));
    EXPECT_THAT(message_of<InputError>({cells, cells}), HasSubstr("those have one dimension"));
    EXPECT_THAT(message_of<ConfigError>({cells, labels, cells}), HasSubstr("not 3 files"));
    EXPECT_THAT(message_of<LimitError>({cells}, 1), AllOf(HasSubstr("2 cells a row"), HasSubstr("--max-columns")));
    EXPECT_THAT(message_of<InputError>({folder_.write("none", header(IdxType::uint8, {0, 2}))}),
                HasSubstr("no rows"));
}

TEST_F(IdxTest, IsRecognisedByContent) {
    EXPECT_TRUE(looks_like_idx(header(IdxType::uint8, {3, 2})));
    EXPECT_FALSE(looks_like_idx("a,b\n"));
    EXPECT_FALSE(looks_like_idx(std::string("\0\0\x08", 3)));
    EXPECT_FALSE(looks_like_idx(std::string("\0\0\x08\x09zzzz", 8)));
}

}  // namespace
}  // namespace regrove::ingest
