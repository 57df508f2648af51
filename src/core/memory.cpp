// Peak memory as Linux accounts it.
#include "regrove/core/memory.hpp"

#include <fstream>
#include <string>

#include <sys/resource.h>

namespace regrove {

std::uint64_t peak_memory_bytes() {
    // VmHWM starts anew with each program; ru_maxrss keeps the peak of the shell or launcher that started it.
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        std::uint64_t kibibytes = 0;
        if (word == "VmHWM:" && status >> kibibytes) return kibibytes * 1024;
    }
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace regrove
