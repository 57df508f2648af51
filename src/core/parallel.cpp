// The arena of threads behind the parallel loops.
#include "regrove/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "regrove/core/check.hpp"
#include "regrove/core/cpu_limits.hpp"

namespace regrove {

namespace {

// Neither arenas nor the limit are destroyed at exit: static destruction would race with TBB's own.
std::atomic<unsigned> g_threads{0};  // 0: not chosen yet
std::atomic<tbb::task_arena*> g_arena{nullptr};
tbb::global_control* g_limit = nullptr;
std::mutex g_changing;

tbb::task_arena& arena() {
    if (tbb::task_arena* const ready = g_arena.load(std::memory_order_acquire)) return *ready;
    const unsigned threads = thread_count();
    const std::lock_guard guard(g_changing);
    if (g_arena == nullptr) {
        // Of several limits TBB takes the smallest, so the old one must go first.
        delete g_limit;
        g_limit = new tbb::global_control(tbb::global_control::max_allowed_parallelism, threads);
        g_arena.store(new tbb::task_arena(static_cast<int>(threads)), std::memory_order_release);
    }
    return *g_arena;
}

}  // namespace

unsigned default_thread_count(unsigned local_ranks) { return threads_for_rank(current_cpu_limits(), local_ranks); }

void set_thread_count(unsigned threads) {
    REGROVE_CHECK(threads > 0);
    const std::lock_guard guard(g_changing);
    if (threads == g_threads) return;
    g_threads = threads;
    g_arena = nullptr;  // a loop may still run in the old one: it is left alone
}

unsigned thread_count() {
    unsigned threads = g_threads;
    if (threads != 0) return threads;
    unsigned expected = 0;
    threads = default_thread_count();
    return g_threads.compare_exchange_strong(expected, threads) ? threads : expected;
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
    if (count <= 1 || thread_count() == 1) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    arena().execute([&] { tbb::parallel_for(std::size_t{0}, count, body); });
}

void parallel_for_blocks(std::size_t count, std::size_t grain,
                         const std::function<void(std::size_t, std::size_t)>& body) {
    REGROVE_CHECK(grain > 0);
    const std::size_t blocks = count / grain + (count % grain != 0 ? 1 : 0);
    parallel_for(blocks, [&](std::size_t block) {
        const std::size_t begin = block * grain;
        body(begin, begin + std::min(grain, count - begin));
    });
}

}  // namespace regrove
