// The classes of all cells of a box of a space, compressed.
#pragma once

#include <cstdint>

#include "regrove/bornagain/cell_tree.hpp"
#include "regrove/bornagain/tensor_kernels.hpp"
#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::bornagain {

/// A region to be solved and where it lies.
struct RootTensor {
    const TensorKernels* kernels = &tensor_kernels();
    CellTensor tensor;
    SliceMap map;  ///< by axis of the space: the cell at which each slice left begins
    std::uint32_t classes = 1;
    /// Where only some cells have a class: those (axes numbers each); empty: all have one.
    std::vector<std::uint32_t> known_cells = {};
};

/// The class of a box of one class: of its lowest cell, or of the first known one in it.
std::uint32_t class_of(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble,
                       const cellspace::Box& box);

/// The cells at which the slices of a grid begin, by axis of the space, rising: every cell of the box is a slice.
SliceMap all_slices(const cellspace::Box& box);

/// Those between the hyperplanes that a faithful tree asks for: it proves that no class changes within one.
SliceMap slices_of(const CellTree& tree, const cellspace::Box& box);

/// The number of cells of a grid, as a logarithm of base 10.
double log10_cells(const SliceMap& slices);

/// Whether a grid has at most 10^most_log10_cells cells on at most 32 axes of several slices, each at most 65535:
/// root_tensor() takes up to 10^9.3.
bool fits_tensor(const SliceMap& slices, double most_log10_cells);

/// Looks at one cell of each slice, its first: O(cells * trees), some nanoseconds a cell. The classes must not change
/// within a slice.
RootTensor root_tensor(const cellspace::CompiledEnsemble& ensemble, const SliceMap& slices);
inline RootTensor root_tensor(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box) {
    return root_tensor(ensemble, all_slices(box));
}

}  // namespace regrove::bornagain
