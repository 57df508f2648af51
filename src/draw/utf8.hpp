// Reads UTF-8 one code point at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace regrove::draw {

struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 1;  ///< how many bytes it takes in the text; at least one
    bool valid = true;      ///< false: these bytes are no UTF-8 (`value` is then U+FFFD)
};

/// The code point that begins at byte `at`, which must lie within `text`.
CodePoint code_point_at(std::string_view text, std::size_t at);

}  // namespace regrove::draw
