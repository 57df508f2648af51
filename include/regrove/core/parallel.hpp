// Parallel loops over a fixed thread count; the only user of TBB.
//
// Nothing here may decide a result: bodies write to their own places, and sums are of integers.
#pragma once

#include <cstddef>
#include <functional>

namespace regrove {

/// Threads that this process may use by default: the smallest of the affinity mask, the cgroup quota and
/// SLURM_CPUS_PER_TASK, shared among the ranks on this host (core/cpu_limits.hpp), at least one.
unsigned default_thread_count(unsigned local_ranks = 1);

/// Sets how many threads parallel_for uses from now on; called once at start-up.
void set_thread_count(unsigned threads);
unsigned thread_count();

/// Calls body(i) for i in [0, count) on up to thread_count() threads; rethrows the first exception.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

/// Calls body(begin, end) on consecutive blocks of at most `grain` covering [0, count).
void parallel_for_blocks(std::size_t count, std::size_t grain,
                         const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace regrove
