// The classes of all cells of a box of a space, compressed.
#pragma once

#include <cstdint>

#include "regrove/bornagain/tensor_kernels.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::bornagain {

/// A region to be solved and where it lies.
struct RootTensor {
    CellTensor tensor;
    SliceMap map;  ///< by axis of the space: the cell at which each slice left begins
    std::uint32_t classes = 1;
};

/// The number of cells that root_tensor() would look at, as a logarithm of base 10.
double log10_cells(const cellspace::Box& box);

/// Looks at every cell of the box: O(cells * trees), some nanoseconds a cell. At most 2^31 cells on at most 32 axes of
/// more than one cell, each at most 65535 cells long.
RootTensor root_tensor(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box);

}  // namespace regrove::bornagain
