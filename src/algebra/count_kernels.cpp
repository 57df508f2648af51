// One loop, compiled with and without the popcount instruction.
#include "count_kernels.hpp"

#include <bit>

#include "condition_bits.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define REGROVE_COUNTS_BITS __attribute__((target("avx2,popcnt,bmi,bmi2")))
#endif

namespace regrove::algebra {

namespace {

std::uint32_t plain_count(const std::uint64_t* a, const std::uint64_t* b) {
    std::uint32_t rows = 0;
    for (std::size_t i = 0; i < k_block_words; ++i) rows += static_cast<std::uint32_t>(std::popcount(a[i] & b[i]));
    return rows;
}

std::uint32_t plain_join(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* into) {
    std::uint32_t rows = 0;
    for (std::size_t i = 0; i < k_block_words; ++i) {
        into[i] = a[i] & b[i];
        rows += static_cast<std::uint32_t>(std::popcount(into[i]));
    }
    return rows;
}

#ifdef REGROVE_COUNTS_BITS

REGROVE_COUNTS_BITS std::uint32_t fast_count(const std::uint64_t* a, const std::uint64_t* b) {
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < k_block_words; ++i)
        rows += static_cast<std::uint64_t>(__builtin_popcountll(a[i] & b[i]));
    return static_cast<std::uint32_t>(rows);
}

REGROVE_COUNTS_BITS std::uint32_t fast_join(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* into) {
    std::uint64_t rows = 0;
    for (std::size_t i = 0; i < k_block_words; ++i) {
        into[i] = a[i] & b[i];
        rows += static_cast<std::uint64_t>(__builtin_popcountll(into[i]));
    }
    return static_cast<std::uint32_t>(rows);
}

#endif

}  // namespace

const CountKernels& count_kernels() {
    static const CountKernels plain{plain_count, plain_join};
#ifdef REGROVE_COUNTS_BITS
    static const CountKernels fast{fast_count, fast_join};
    static const bool can = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                            __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (can) return fast;
#endif
    return plain;
}

}  // namespace regrove::algebra
