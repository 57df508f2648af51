// The bounds that a state's cells prove by themselves, worked out when it is first met.
#pragma once

#include <bit>

#include "regrove/bornagain/tensor_kernels.hpp"

#include "objectives.hpp"

namespace regrove::bornagain {

/// One worker's buffers and the kernels it calls.
struct Workbench {
    explicit Workbench(const TensorKernels& chosen = tensor_kernels()) : kernels(&chosen) {}

    const TensorKernels* kernels;
    TensorScratch scratch;
    Differences differences;
    std::vector<std::uint32_t> fooling_cells;

    /// The differences of a tensor, worked out unless they are those of the last call.
    const Differences& differences_of(const CellTensor& tensor, const StateKey& content) {
        if (has_last && content == last) return differences;
        kernels->differences(tensor, differences, scratch);
        last = content;
        has_last = true;
        return differences;
    }
    StateKey last;
    bool has_last = false;
};

/// Every hyperplane left is split on at least once, and a tree of depth d has at most 2^d - 1 splits.
inline std::uint32_t depth_for_splits(std::uint32_t splits) {
    return static_cast<std::uint32_t>(std::bit_width(splits));
}

/// The leaves that a state of several classes needs, known without work.
inline std::uint32_t least_leaves(const CellTensor& tensor, const Workbench& bench) {
    return bench.kernels->knows_all_cells || tensor.shape.axes == 1 ? tensor.shape.hyperplanes() + 1 : 2;
}

inline StateBounds depth_bounds(const CellTensor& tensor, const StateKey& content, Workbench& bench) {
    const std::uint32_t splits = tensor.shape.hyperplanes();
    std::uint32_t lower = depth_for_splits(least_leaves(tensor, bench) - 1);
    if (tensor.shape.axes == 1 || (splits == 2 && bench.kernels->knows_all_cells)) return {lower, lower};
    lower = std::max(lower, bench.differences_of(tensor, content).max_sensitivity);
    if (tensor.shape.axes > lower) lower = std::max(lower, bench.kernels->degree(tensor, nullptr, bench.scratch));
    return {lower, splits};
}

/// Of a state's fooling set: its size, and how many of its cells lie below each cut, axis by axis. The set is one for
/// every sub-region too, so these bound the sides of every split.
struct FoolingCounts {
    StateKey content;
    std::uint32_t size = 0;
    std::vector<std::uint32_t> below;
};

inline void count_fooling_cells(const CellTensor& tensor, const Workbench& bench, FoolingCounts& counts) {
    const std::vector<std::uint32_t>& cells = bench.fooling_cells;
    counts.size = static_cast<std::uint32_t>(cells.size());
    counts.below.assign(tensor.shape.hyperplanes(), 0);
    std::uint32_t* below = counts.below.data();
    for (std::uint32_t j = 0; j < tensor.shape.axes; ++j) {
        const std::uint32_t slices = tensor.shape.slices[j];
        for (const std::uint32_t cell : cells) {
            const std::uint32_t at = bench.kernels->slice_of(tensor, cell, j);
            if (at + 1 < slices) ++below[at];
        }
        for (std::uint32_t l = 1; l + 1 < slices; ++l) below[l] += below[l - 1];
        below += slices - 1;
    }
}

/// The counts of recently met states, found again by content. A state is met some time before it is expanded: with fewer
/// places than states in between, every third set is worked out twice.
class FoolingCache {
  public:
    /// What is kept at the content's place: of that content, or to be overwritten.
    FoolingCounts& slot(const StateKey& content, std::uint32_t hyperplanes) {
        FoolingCounts& found = slots_[content.low & (slots_.size() - 1)];
        if (found.content == content || found.size == 0 || is_largest(hyperplanes)) return found;
        if (++collisions_ < slots_.size() / 2) return found;
        double_slots();
        return slot(content, hyperplanes);
    }

  private:
    static constexpr std::size_t k_first_slots = std::size_t{1}
                                                 << 8U;  // small searches should not pay for large ones
    static constexpr std::size_t k_most_bytes = std::size_t{32} << 20U;  // of each worker

    /// Whether twice the places, all taken by states of so many hyperplanes, would be too large.
    bool is_largest(std::uint32_t hyperplanes) const {
        constexpr std::size_t k_block_bytes = 16;  // what a block of its own costs beside its contents
        const std::size_t each = sizeof(FoolingCounts) + k_block_bytes + sizeof(std::uint32_t) * hyperplanes;
        return 2 * slots_.size() * each > k_most_bytes;
    }

    void double_slots() {
        collisions_ = 0;
        std::vector<FoolingCounts> old(2 * slots_.size());
        old.swap(slots_);
        for (FoolingCounts& counts : old) std::swap(slots_[counts.content.low & (slots_.size() - 1)], counts);
    }

    std::vector<FoolingCounts> slots_ = std::vector<FoolingCounts>(k_first_slots);
    std::size_t collisions_ = 0;
};

inline const FoolingCounts& fooling_counts(const CellTensor& tensor, const StateKey& content, Workbench& bench,
                                           FoolingCache& cache) {
    FoolingCounts& counts = cache.slot(content, tensor.shape.hyperplanes());
    if (counts.content == content && counts.size != 0) return counts;
    bench.kernels->fooling_set(tensor, bench.differences_of(tensor, content), bench.fooling_cells, bench.scratch);
    counts.content = content;
    count_fooling_cells(tensor, bench, counts);
    return counts;
}

inline StateBounds leaves_bounds(const CellTensor& tensor, const StateKey& content, Workbench& bench,
                                 FoolingCache& cache) {
    const std::uint32_t splits = tensor.shape.hyperplanes();
    if (tensor.shape.axes == 1) return {splits + 1, splits + 1};
    return {std::max(least_leaves(tensor, bench), fooling_counts(tensor, content, bench, cache).size), k_unbounded};
}

}  // namespace regrove::bornagain
