// A hash of rows of codes that is summed over rows, so that it does not depend on how they were split.
#pragma once

#include <cstddef>
#include <cstdint>

#include "regrove/core/hash.hpp"

namespace regrove::store {

/// Rows [first_row, first_row + rows) of a tile, each of `stride` bytes (a power of two from 4 on). The hash of all rows is
/// the sum, lane by lane, over any split of them. About 4 ns for 32 bytes.
Hash128 hash_codes(const std::uint8_t* laid, std::size_t stride, std::uint64_t first_row, std::size_t rows,
                   std::uint64_t tile);

}  // namespace regrove::store
