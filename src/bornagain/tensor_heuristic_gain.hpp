// The cut of a tensor that tells most about the class of its cells, from exact counts.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/bornagain/cell_tensor.hpp"

namespace regrove::bornagain {

/// Slices <= slice of an axis of a tensor go left.
struct TensorCut {
    std::uint32_t axis = 0;
    std::uint32_t slice = 0;
};

/// Buffers that calls share.
struct GainScratch {
    std::vector<std::uint64_t> mask;    ///< the cells of one class
    std::vector<std::uint64_t> counts;  ///< classes x slices of one axis
    std::vector<std::uint64_t> left;
    std::vector<std::uint64_t> right;
};

/// n log2 n, 0 for 0: the same bits on every machine.
double count_log_count(std::uint64_t n);

/// The cut of largest information gain; ties go to the first (axis, slice). O(words * slices) and no loop over cells.
TensorCut best_gain_cut(const CellTensor& tensor, std::uint32_t classes, GainScratch& scratch);

}  // namespace regrove::bornagain
