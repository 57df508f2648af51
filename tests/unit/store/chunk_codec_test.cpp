// Packed chunks unpack to the same cells, and damage in any byte is noticed; that HDF5 reads them is in the table
// tests.
#include "regrove/store/chunk_codec.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::store {
namespace {

std::span<const unsigned char> bytes_of(std::string_view text) {
    return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
}

std::string some_bytes(std::size_t size) {
    const CounterRandom random(3, 1);
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i)
        bytes.push_back(static_cast<char>(i % 3 == 0 ? random.below(i, 256) : i / 100));
    return bytes;
}

TEST(Fletcher32, MatchesPublishedValues) {
    // The usual check texts, with the first byte of each word high.
    EXPECT_EQ(fletcher32(bytes_of("")), 0U);
    EXPECT_EQ(fletcher32(bytes_of(std::string("\x01\x02", 2))), 0x01020102U);
    EXPECT_EQ(fletcher32(bytes_of(std::string("\x01\x02\x03\x04", 4))), 0x05080406U);
    EXPECT_EQ(fletcher32(bytes_of(std::string("\x01\x02\x03", 3))), 0x05040402U);
}

TEST(Fletcher32, SumsModulo65535OverLongInputs) {
    const std::string bytes = some_bytes(100000);
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        first =
            (first + static_cast<unsigned char>(bytes[i]) * 256U + static_cast<unsigned char>(bytes[i + 1])) % 65535;
        second = (second + first) % 65535;
    }
    EXPECT_EQ(fletcher32(bytes_of(bytes)) % 65536 % 65535, first);
    EXPECT_EQ(fletcher32(bytes_of(bytes)) / 65536 % 65535, second);
}

TEST(ChunkCodec, RoundTripsAndPads) {
    for (const std::size_t element : {1UL, 4UL, 8UL}) {
        for (const int level : {1, 6}) {
            const std::string cells = some_bytes(800 * element);
            std::string full = cells + std::string(200 * element, '\0');
            std::string out(full.size(), 'x');
            EXPECT_TRUE(unpack_chunk(pack_chunk(cells, full.size(), element, level), out, element));
            EXPECT_EQ(out, full);
        }
    }
}

TEST(ChunkCodec, NoticesEveryDamagedByte) {
    const std::string cells = some_bytes(400);
    const std::string packed = pack_chunk(cells, cells.size(), 4, 6);
    std::string out(cells.size(), '\0');
    for (std::size_t i = 0; i < packed.size(); ++i) {
        std::string damaged = packed;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        EXPECT_FALSE(unpack_chunk(damaged, out, 4)) << "byte " << i;
    }
    EXPECT_FALSE(unpack_chunk(packed.substr(0, 3), out, 4));
    EXPECT_FALSE(unpack_chunk("", out, 4));
    std::string longer(cells.size() + 4, '\0');
    EXPECT_FALSE(unpack_chunk(packed, longer, 4));
}

}  // namespace
}  // namespace regrove::store
