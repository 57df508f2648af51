// What the process uses: peak resident memory and wall-clock phases.
#pragma once

#include <cstdint>

namespace regrove {

/// Peak resident set size of this process so far, from the kernel.
std::uint64_t peak_memory_bytes();

/// What counts against --memory-limit now: private memory, threads' stacks among it, used or not. Zero when unknown.
std::uint64_t private_memory_bytes();

}  // namespace regrove
