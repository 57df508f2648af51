// What the process uses: peak resident memory and wall-clock phases.
#pragma once

#include <cstdint>

namespace regrove {

/// Peak resident set size of this process so far, from the kernel.
std::uint64_t peak_memory_bytes();

/// What counts against --memory-limit now: private memory, threads' stacks among it, used or not. Zero when unknown.
std::uint64_t private_memory_bytes();

/// Lets the allocator keep what is freed, up to some hundred MiB, instead of giving it back to the kernel and asking for it
/// again: a third of the time to bin a table went into pages that came and went. Not for processes with a memory limit.
void keep_freed_memory();

}  // namespace regrove
