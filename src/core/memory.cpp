// Memory as Linux accounts it.
#include "regrove/core/memory.hpp"

#include <fstream>
#include <string>
#include <string_view>

#include <sys/resource.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace regrove {

namespace {

/// A line of the kernel's account of this process; zero when there is none.
std::uint64_t status_bytes(std::string_view name) {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == name && status >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

}  // namespace

void keep_freed_memory() {
#ifdef __GLIBC__
    // The first alone would hold the second at its initial 128 KiB instead of letting it grow.
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

std::uint64_t private_memory_bytes() { return status_bytes("VmData:"); }

std::uint64_t peak_memory_bytes() {
    // VmHWM starts anew with each program; ru_maxrss keeps the peak of the shell or launcher that started it.
    if (const std::uint64_t bytes = status_bytes("VmHWM:")) return bytes;
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace regrove
