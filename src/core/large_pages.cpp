// The whole huge pages of the range; what is before and behind them is left alone.
#include "regrove/core/large_pages.hpp"

#include <cstdint>

#include <sys/mman.h>

namespace regrove {

namespace {

constexpr std::uintptr_t k_huge_page = std::uintptr_t{2} << 20U;

}  // namespace

void wish_for_large_pages(void* begin, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    const auto address = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = (address + k_huge_page - 1) / k_huge_page * k_huge_page;
    const std::uintptr_t last = (address + bytes) / k_huge_page * k_huge_page;
    if (last > first) static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
#else
    static_cast<void>(begin);
    static_cast<void>(bytes);
#endif
}

}  // namespace regrove
