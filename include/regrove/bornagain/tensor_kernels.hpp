// The operations on tensors that the searches spend their time in, chosen for the processor at run time.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "regrove/bornagain/cell_tensor.hpp"

namespace regrove::bornagain {

/// A cell, the size of its surroundings, and where what is known of them is kept.
struct CellOfSize {
    std::uint64_t size = 0;
    std::uint32_t cell = 0;
    std::uint32_t place = 0;
    friend auto operator<=>(const CellOfSize&, const CellOfSize&) = default;
};

/// Buffers that operations share; one a thread.
struct TensorScratch {
    CellTensor spare;
    std::vector<std::uint64_t> words;
    std::vector<std::uint64_t> counters;
    std::vector<std::uint8_t> relevant;
    std::vector<std::uint64_t> open;
    std::vector<std::uint64_t> rows;
    std::vector<std::uint32_t> places;
    std::vector<std::uint64_t> own_rows;
    std::vector<std::uint16_t> runs;
    std::vector<std::uint8_t> star;
    std::vector<CellOfSize> order;
};

/// For each axis of a tensor which root slice each of its slices stands for (its first one).
using SliceMap = std::vector<std::vector<std::uint32_t>>;

/// Where classes change between neighbours, and how often around each cell.
struct Differences {
    std::uint32_t words = 0;
    std::uint32_t axes = 0;
    std::uint32_t levels = 0;           ///< bit planes of `count`
    std::uint32_t max_sensitivity = 0;  ///< most neighbours of another class that a cell has
    /// axes x (words + padding): the cell differs from its next neighbour on the axis.
    std::vector<std::uint64_t> differs;
    /// levels x (words + padding): the cell's sensitivity, bit by bit.
    std::vector<std::uint64_t> count;

    const std::uint64_t* differs_on(std::uint32_t axis) const {
        return differs.data() + std::size_t{axis} * (words + k_plane_padding);
    }
    std::uint64_t* differs_on(std::uint32_t axis) {
        return differs.data() + std::size_t{axis} * (words + k_plane_padding);
    }
    const std::uint64_t* count_level(std::uint32_t level) const {
        return count.data() + std::size_t{level} * (words + k_plane_padding);
    }
    std::uint64_t* count_level(std::uint32_t level) {
        return count.data() + std::size_t{level} * (words + k_plane_padding);
    }
};

/// The cuts of an axis that a bound leaves possible: first .. last.
struct CutRange {
    std::int32_t first = 0;
    std::int32_t last = -1;
};

/// A cut of an axis of this stride; slices <= cut go left.
struct ForcedCut {
    std::uint32_t axis = 0;
    std::uint32_t cut = 0;
    std::uint32_t stride = 1;
};

struct TensorKernels {
    const char* name;
    /// Every cell of the grid has a class: then each hyperplane of a compressed tensor must be split on.
    bool knows_all_cells;
    /// Numbers classes by first appearance, drops slices that equal their neighbour and flat axes; returns the number
    /// of classes (1: nothing but one cell is left). `map`, when given, follows the slices kept, by root axis.
    std::uint32_t (*compress)(CellTensor& tensor, TensorScratch& scratch, SliceMap* map);
    /// The compressed slices [first, last] of an axis of a compressed tensor; returns the number of classes. `map` as above.
    std::uint32_t (*take_slices)(const CellTensor& tensor, std::uint32_t axis, std::uint32_t first,
                                 std::uint32_t last, CellTensor& out, TensorScratch& scratch, SliceMap* map);
    StateKey (*key)(const CellTensor& tensor);
    /// The slice of an axis that a cell lies in.
    std::uint32_t (*slice_of)(const CellTensor& tensor, std::uint32_t cell, std::uint32_t axis);
    void (*differences)(const CellTensor& tensor, Differences& out, TensorScratch& scratch);
    /// Whether some cell has sensitivity `depth`; then only `cuts` can begin a tree of that depth: after any other, a
    /// child of depth - 1 keeps such a cell, whose leaf must separate it from each of its `depth` other neighbours.
    bool (*forced_cuts)(const CellTensor& tensor, const Differences& differences, std::uint32_t depth,
                        std::vector<ForcedCut>& cuts);
    /// Largest degree over GF(2) of the class bits as polynomials in the split indicators: a tree of depth d has degree
    /// at most d. With `ranges` also, by axis, the cuts that leave both sides a smaller degree.
    std::uint32_t (*degree)(const CellTensor& tensor, std::vector<CutRange>* ranges, TensorScratch& scratch);
    /// Cells no two of which can share a leaf: the smallest box around any two of them holds two classes. Every
    /// faithful tree has at least as many leaves, in every region as many as it holds of them. Greedy.
    void (*fooling_set)(const CellTensor& tensor, const Differences& differences, std::vector<std::uint32_t>& cells,
                        TensorScratch& scratch);
};

/// The fastest kernels that this processor runs; all give the same results.
const TensorKernels& tensor_kernels();
/// All that this processor runs, the plain ones first: for tests.
std::vector<const TensorKernels*> runnable_tensor_kernels();

}  // namespace regrove::bornagain
