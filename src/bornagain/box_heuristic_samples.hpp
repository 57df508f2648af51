// Sampled cells of a box with their classes, and the cut that they say tells most.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/core/random.hpp"

#include "box_heuristic_grid.hpp"

namespace regrove::bornagain {

/// Cells lie one after another, axes numbers each.
struct SampledCells {
    std::vector<std::uint32_t> cells;
    std::vector<std::uint32_t> classes;  ///< one a cell

    std::size_t size() const { return classes.size(); }
    const std::uint32_t* cell(std::size_t i, std::size_t axes) const { return cells.data() + i * axes; }
    void add(const std::vector<std::uint32_t>& cell, std::uint32_t class_index);
    std::uint64_t bytes() const { return (cells.capacity() + classes.capacity()) * sizeof(std::uint32_t); }
};

/// Adds cells of the open grid, each equally likely, until there are `count`.
void top_up(SampledCells& samples, const OpenGrid& grid, const cellspace::CompiledEnsemble& ensemble,
            const CounterRandom& random, std::size_t count);

/// Whether all are of one class.
bool is_uniform(const SampledCells& samples);

/// The cut of the open grid of largest information gain; ties go to the first (axis, cell).
CellCut best_gain_cut(const SampledCells& samples, const OpenGrid& grid, std::uint32_t classes);

/// The samples on one side of a cut.
SampledCells take_side(const SampledCells& samples, const CellCut& cut, bool right, std::size_t axes);

}  // namespace regrove::bornagain
