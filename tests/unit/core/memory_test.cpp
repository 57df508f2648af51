// Peak memory grows with what is touched and never falls.
#include "regrove/core/memory.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace regrove {
namespace {

TEST(PeakMemory, SeesAnAllocationAndKeepsIt) {
    const std::uint64_t before = peak_memory_bytes();
    EXPECT_GT(before, 1U << 20U);
    EXPECT_LT(before, 1ULL << 34U) << "bytes, not a larger unit";
    constexpr std::size_t k_bytes = 64U << 20U;
    { const std::vector<char> block(k_bytes, 1); }
    EXPECT_GE(peak_memory_bytes(), before + k_bytes / 2);
}

}  // namespace
}  // namespace regrove
