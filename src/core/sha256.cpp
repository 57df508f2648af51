// SHA-256 through OpenSSL's digest interface.
#include "regrove/core/sha256.hpp"

#include <array>

#include <openssl/evp.h>

#include "regrove/core/error.hpp"

namespace regrove {

std::string sha256_hex(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
        throw InternalError("the crypto library has no SHA-256");
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += digits[digest[i] >> 4U];
        text += digits[digest[i] & 15U];
    }
    return text;
}

}  // namespace regrove
