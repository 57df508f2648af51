// Byte streams: what goes in compressed comes out whole, and damage is named.
#include "regrove/ingest/byte_source.hpp"

#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "regrove/core/error.hpp"

#include "support/scratch_folder.hpp"

namespace regrove::ingest {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Text that compresses a little, longer than every internal buffer.
std::string long_text(std::size_t size) {
    std::mt19937 random(7);
    std::string text;
    while (text.size() < size) text += std::to_string(random() % 100000) + (random() % 9 == 0 ? "\n" : ",");
    text.resize(size);
    return text;
}

std::string gzip_member(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// With a content checksum, so that a flipped bit is always seen.
std::string zstd_frame(const std::string& text) {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
    ZSTD_freeCCtx(context);
    return out;
}

std::string read_all(ByteSource& source, std::size_t step) {
    std::string all;
    std::vector<char> buffer(step);
    while (const std::size_t got = source.read(buffer.data(), step)) all.append(buffer.data(), got);
    EXPECT_EQ(source.read(buffer.data(), step), 0U) << "the end is not the end";
    return all;
}

std::string read_file(const std::string& path, std::size_t step = 65536) { return read_all(*open_bytes(path), step); }

template <class E>
std::string message_of(const std::string& path) {
    try {
        read_file(path);
    } catch (const E& error) {
        return error.what();
    }
    return "no such error";
}

class ByteSourceTest : public testing::Test {
  protected:
    test::ScratchFolder folder_;
    const std::string text_ = long_text(700'000);
};

TEST_F(ByteSourceTest, DetectsEncodingByContentNotName) {
    EXPECT_EQ(detect_encoding(folder_.write("a.gz", "plain")), Encoding::plain);
    EXPECT_EQ(detect_encoding(folder_.write("empty", "")), Encoding::plain);
    EXPECT_EQ(detect_encoding(folder_.write("one", "\x1f")), Encoding::plain);
    EXPECT_EQ(detect_encoding(folder_.write("b", gzip_member("x"))), Encoding::gzip);
    EXPECT_EQ(detect_encoding(folder_.write("c.csv", zstd_frame("x"))), Encoding::zstd);
}

TEST_F(ByteSourceTest, ReadsEveryEncodingInSmallAndLargeSteps) {
    const std::vector<std::string> paths = {folder_.write("plain", text_), folder_.write("gz", gzip_member(text_)),
                                            folder_.write("zst", zstd_frame(text_))};
    for (const auto& path : paths) {
        for (const std::size_t step : {std::size_t{4093}, std::size_t{1} << 20U}) {
            EXPECT_EQ(read_file(path, step), text_) << path << " step " << step;
        }
    }
}

TEST_F(ByteSourceTest, EmptyContents) {
    EXPECT_EQ(read_file(folder_.write("plain", "")), "");
    EXPECT_EQ(read_file(folder_.write("gz", gzip_member(""))), "");
    EXPECT_EQ(read_file(folder_.write("zst", zstd_frame(""))), "");
}

TEST_F(ByteSourceTest, JoinsMembersAndFrames) {
    const std::string a = text_.substr(0, 300'000);
    const std::string b = text_.substr(300'000, 77);
    const std::string c = text_.substr(300'077);
    EXPECT_EQ(read_file(folder_.write("gz", gzip_member(a) + gzip_member("") + gzip_member(b) + gzip_member(c))),
              text_);
    EXPECT_EQ(read_file(folder_.write("pad", gzip_member(a) + std::string(700, '\0'))), a) << "padding";
    const std::string skippable("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
    EXPECT_EQ(read_file(folder_.write(
                  "zst", skippable + zstd_frame(a) + zstd_frame("") + zstd_frame(b) + skippable + zstd_frame(c))),
              text_);
}

TEST_F(ByteSourceTest, TruncationIsNamedWhereverItIs) {
    const std::string small = text_.substr(0, 3000);
    for (const auto& [name, whole] : {std::pair{"t.gz", gzip_member(small)}, {"t.zst", zstd_frame(small)}}) {
        for (std::size_t size = 5; size < whole.size(); size += size < 40 || size + 40 > whole.size() ? 1 : 61) {
            const std::string path = folder_.write(name, whole.substr(0, size));
            ASSERT_THAT(message_of<FormatError>(path), AllOf(HasSubstr(path), HasSubstr("truncated"))) << size;
        }
    }
}

TEST_F(ByteSourceTest, FlippedBitsAreNamedOrHarmless) {
    const std::string small = text_.substr(0, 3000);
    for (const auto& [name, whole] : {std::pair{"f.gz", gzip_member(small)}, {"f.zst", zstd_frame(small)}}) {
        std::size_t refused = 0;
        for (std::size_t i = 4; i < whole.size(); i += 7) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
            const std::string path = folder_.write(name, damaged);
            try {
                ASSERT_EQ(read_file(path), small) << "wrong bytes pass at " << i;
            } catch (const FormatError& error) {
                ++refused;
                ASSERT_THAT(error.what(), HasSubstr(path));
            }
        }
        EXPECT_GT(refused, whole.size() / 7 * 9 / 10);
    }
}

TEST_F(ByteSourceTest, BytesBehindTheEndAreRefused) {
    EXPECT_THAT(message_of<FormatError>(folder_.write("g.gz", gzip_member("x") + "tail")),
                HasSubstr("follow its end"));
    EXPECT_THAT(message_of<FormatError>(folder_.write("h.gz", gzip_member("x") + std::string(3, '\0') + "\x1f\x8b")),
                HasSubstr("follow its end"));
    EXPECT_THAT(message_of<FormatError>(folder_.write("z.zst", zstd_frame("x") + "tail")), HasSubstr("damaged zstd"));
}

TEST_F(ByteSourceTest, ReadsRangesOfPlainFiles) {
    const std::string path = folder_.write("plain", text_);
    EXPECT_EQ(file_size_bytes(path), text_.size());
    EXPECT_EQ(read_all(*open_byte_range(path, 1000, 500'001), 777), text_.substr(1000, 499'001));
    EXPECT_EQ(read_all(*open_byte_range(path, 5, 5), 10), "");
    EXPECT_EQ(read_all(*open_byte_range(path, text_.size() - 3, text_.size()), 10), text_.substr(text_.size() - 3));
}

TEST_F(ByteSourceTest, AFileThatShrankIsAnError) {
    const std::string path = folder_.write("short", "0123456789");
    auto source = open_byte_range(path, 4, 20);
    char buffer[32];
    EXPECT_EQ(source->read(buffer, sizeof buffer), 6U);
    try {
        source->read(buffer, sizeof buffer);
        FAIL() << "no error";
    } catch (const IoError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr(path), HasSubstr("shortened")));
    }
}

TEST_F(ByteSourceTest, MissingFilesAndFoldersAreNamed) {
    const std::string missing = folder_.path("missing.csv");
    EXPECT_THAT(message_of<IoError>(missing), AllOf(HasSubstr(missing), HasSubstr("No such file")));
    EXPECT_THROW(detect_encoding(missing), IoError);
    EXPECT_THROW(file_size_bytes(missing), IoError);
    EXPECT_THROW(open_byte_range(missing, 0, 1), IoError);
    EXPECT_THAT(message_of<IoError>(folder_.path("")), HasSubstr("directory"));
    EXPECT_THROW(file_size_bytes(folder_.path("")), IoError);
}

TEST_F(ByteSourceTest, ReadsFromAPipe) {
    const std::string path = folder_.path("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::jthread writer([&] {
        std::ofstream out(path, std::ios::binary);
        out << gzip_member(text_);
    });
    EXPECT_EQ(read_file(path), text_);
}

}  // namespace
}  // namespace regrove::ingest
