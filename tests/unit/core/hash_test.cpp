// Hashes depend on the bytes and not on how they were cut; their text form; files.
#include "regrove/core/hash.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"

namespace regrove {
namespace {

std::string sample_bytes(std::size_t size) {
    std::string bytes(size, '\0');
    const CounterRandom random(1, 1);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(random.bits(i));
    return bytes;
}

// Source: xxHash's own test values for XXH3 128 bits, empty input.
TEST(Hash, EmptyInputIsXxh3s) { EXPECT_EQ(to_hex(hash_bytes("")), "99aa06d3014798d86001c324468d497f"); }

TEST(Hash, HexIsHighPartFirstWithZeros) {
    EXPECT_EQ(to_hex(Hash128{0xabc, 0x1}), "00000000000000010000000000000abc");
}

TEST(Hasher, PiecewiseEqualsWhole) {
    for (const std::size_t size : {0U, 1U, 17U, 240U, 241U, 5000U}) {
        const std::string bytes = sample_bytes(size);
        for (const std::size_t piece : {1U, 7U, 256U, 4096U}) {
            Hasher hasher;
            for (std::size_t at = 0; at < size; at += piece) hasher.update(std::string_view(bytes).substr(at, piece));
            EXPECT_EQ(hasher.digest(), hash_bytes(bytes)) << size << " in pieces of " << piece;
        }
    }
}

TEST(Hasher, FieldsAreKeptApart) {
    const auto of = [](std::string_view a, std::string_view b) {
        Hasher hasher;
        hasher.update_field(a);
        hasher.update_field(b);
        return hasher.digest();
    };
    EXPECT_NE(of("ab", "c"), of("a", "bc"));
    EXPECT_EQ(of("ab", "c"), of("ab", "c"));
}

TEST(Hasher, DigestMayBeTakenOnTheWay) {
    Hasher hasher;
    hasher.update("ab");
    EXPECT_EQ(hasher.digest(), hash_bytes("ab"));
    hasher.update("c");
    Hasher moved(std::move(hasher));
    EXPECT_EQ(moved.digest(), hash_bytes("abc"));
}

TEST(HashFile, EqualsTheHashOfItsBytes) {
    const auto path = std::filesystem::temp_directory_path() / ("regrove_hash_" + std::to_string(::getpid()));
    const std::string bytes = sample_bytes(3000000);
    std::ofstream(path, std::ios::binary) << bytes;
    EXPECT_EQ(hash_file(path.string()), hash_bytes(bytes));
    std::filesystem::remove(path);
    EXPECT_THROW(hash_file(path.string()), IoError);
}

}  // namespace
}  // namespace regrove
