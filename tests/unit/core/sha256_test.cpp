// SHA-256 gives the published answers.
#include "regrove/core/sha256.hpp"

#include <gtest/gtest.h>

namespace regrove {
namespace {

// Source of the answers: the examples of FIPS 180-2, appendix B, and of NIST's test vectors for short messages.
TEST(Sha256, KnownAnswers) {
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_hex(std::string(1000000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, TakesBytesThatAreNoText) {
    EXPECT_EQ(sha256_hex(std::string(1, '\xbd')), "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b");
    EXPECT_EQ(sha256_hex(std::string(1, '\0')), "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
}

}  // namespace
}  // namespace regrove
