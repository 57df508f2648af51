// Counting rows by key on several threads: blocks of rows, a private array a block, summed at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "regrove/core/parallel.hpp"

namespace regrove::dist {

/// Calls count(begin, end, into) on blocks of [0, rows), each with an array of zeros of its own, and returns their
/// sum. Sums are of integers: the result does not depend on the blocks.
template <class Integer>
std::vector<Integer> count_rows(std::size_t rows, std::size_t size,
                                const std::function<void(std::size_t, std::size_t, Integer*)>& count) {
    std::vector<Integer> total(size, 0);
    const std::size_t threads = thread_count();
    if (threads == 1 || rows < 4096) {
        count(0, rows, total.data());
        return total;
    }
    std::mutex adding;
    const std::size_t grain = (rows + threads - 1) / threads;
    parallel_for_blocks(rows, grain, [&](std::size_t begin, std::size_t end) {
        std::vector<Integer> own(size, 0);
        count(begin, end, own.data());
        const std::lock_guard<std::mutex> lock(adding);
        for (std::size_t i = 0; i < size; ++i) total[i] += own[i];
    });
    return total;
}

}  // namespace regrove::dist
