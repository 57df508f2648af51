// The kernels as a table; included once for each kind of processor.
#pragma once

#include "degree.hpp"
#include "fooling_set.hpp"

namespace regrove::bornagain::REGROVE_KERNELS {

inline TensorKernels make_table(const char* name) {
    return {name,
            true,
            compress,
            take_slices,
            key,
            [](const CellTensor& tensor, std::uint32_t cell, std::uint32_t axis) {
                return cell / tensor.shape.stride(axis) % tensor.shape.slices[axis];
            },
            [](const CellTensor& tensor, Differences& out, TensorScratch& scratch) {
                differences(tensor, out, scratch.counters);
            },
            forced_cuts,
            degree,
            fooling_set};
}

}  // namespace regrove::bornagain::REGROVE_KERNELS
