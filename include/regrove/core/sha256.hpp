// SHA-256, for certificates that a stranger can check with any other program.
#pragma once

#include <string>
#include <string_view>

namespace regrove {

/// 64 lower-case hexadecimal digits, as `sha256sum` prints them. Source: FIPS 180-4, by OpenSSL.
std::string sha256_hex(std::string_view bytes);

}  // namespace regrove
