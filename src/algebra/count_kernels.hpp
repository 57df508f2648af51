// AND and popcount over a block's words, once for any processor and once for those that count bits in hardware.
#pragma once

#include <cstdint>

namespace regrove::algebra {

struct CountKernels {
    /// Rows of a & b.
    std::uint32_t (*count)(const std::uint64_t* a, const std::uint64_t* b);
    /// Writes a & b and returns its rows.
    std::uint32_t (*join)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* into);
};

/// The fastest that this processor has; all give the same numbers.
const CountKernels& count_kernels();

}  // namespace regrove::algebra
