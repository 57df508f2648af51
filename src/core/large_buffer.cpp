// A wish to the system, which may be refused: then pages are small.
#include "regrove/core/large_buffer.hpp"

#include <new>

#include <sys/mman.h>

namespace regrove {

namespace {

constexpr std::size_t k_huge_page = std::size_t{2} << 20U;

}  // namespace

LargeBuffer::LargeBuffer(std::size_t size) {
    if (size < 2 * k_huge_page) {
        bytes_.reset(static_cast<std::uint8_t*>(std::malloc(size + 1)));
    } else {
        const std::size_t whole = (size + k_huge_page - 1) / k_huge_page * k_huge_page;
        bytes_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(k_huge_page, whole)));
#ifdef MADV_HUGEPAGE
        if (bytes_) static_cast<void>(madvise(bytes_.get(), whole, MADV_HUGEPAGE));
#endif
    }
    if (!bytes_) throw std::bad_alloc();
}

}  // namespace regrove
