// The bounds that a state's cells prove by themselves, worked out when it is first met.
#pragma once

#include <bit>

#include "regrove/bornagain/tensor_kernels.hpp"

#include "objectives.hpp"

namespace regrove::bornagain {

/// One worker's buffers and the kernels it calls.
struct Workbench {
    const TensorKernels* kernels = &tensor_kernels();
    TensorScratch scratch;
    Differences differences;
    std::vector<std::uint32_t> fooling_cells;
};

/// Every hyperplane left is split on at least once, and a tree of depth d has at most 2^d - 1 splits.
inline std::uint32_t depth_for_splits(std::uint32_t splits) {
    return static_cast<std::uint32_t>(std::bit_width(splits));
}

inline StateBounds depth_bounds(const CellTensor& tensor, Workbench& bench) {
    const std::uint32_t splits = tensor.shape.hyperplanes();
    std::uint32_t lower = depth_for_splits(splits);
    if (tensor.shape.axes == 1 || splits == 2) return {lower, lower};
    bench.kernels->differences(tensor, bench.differences, bench.scratch);
    lower = std::max(lower, bench.differences.max_sensitivity);
    if (tensor.shape.axes > lower) lower = std::max(lower, bench.kernels->degree(tensor, nullptr, bench.scratch));
    return {lower, splits};
}

inline StateBounds leaves_bounds(const CellTensor& tensor, Workbench& bench) {
    const std::uint32_t splits = tensor.shape.hyperplanes();
    if (tensor.shape.axes == 1) return {splits + 1, splits + 1};
    bench.kernels->differences(tensor, bench.differences, bench.scratch);
    bench.kernels->fooling_set(tensor, bench.differences, bench.fooling_cells, bench.scratch);
    return {std::max(splits + 1, static_cast<std::uint32_t>(bench.fooling_cells.size())), k_unbounded};
}

}  // namespace regrove::bornagain
