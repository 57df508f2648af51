// A good faithful tree, fast, on spaces of any size: sampled cells choose the splits, and a proof without samples says
// when a box is done.
//
// Source: Vidal and Schiffer 2020, section 3.3, with a branch and bound over the trees' reachable leaves in the place of
// their integer program, and exact work where what is left of a box is small.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "regrove/bornagain/reborn.hpp"

namespace regrove::bornagain {

/// Boxes whose reachable questions cut them into at most so many cells are looked at cell by cell, larger ones sampled.
constexpr std::uint64_t k_heuristic_grid_cells = std::uint64_t{1} << 16U;

struct HeuristicOptions {
    Objective objective = Objective::leaves;  ///< depth and depth_leaves: shallow trees; else trees of few leaves
    std::uint32_t samples = 1000;             ///< cells that are sampled in a box
    std::uint64_t seed = 0;
    std::uint64_t grid_cells = k_heuristic_grid_cells;  ///< zero: always sample, down to the last leaf
};

enum class HeuristicEnd : std::uint8_t { faithful, stopped, out_of_memory };

struct HeuristicLimits {
    std::uint64_t memory_bytes = 0;  ///< of boxes still to do and of the tree; zero: none
    std::function<bool()> ends;      ///< asked now and then on the calling thread; true ends the work
};

struct HeuristicFigures {
    std::uint64_t sampled_boxes = 0;  ///< split by sampled cells
    std::uint64_t proofs = 0;         ///< of boxes whose samples were all of one class
    std::uint64_t grids = 0;          ///< looked at cell by cell
};

struct HeuristicResult {
    std::optional<CellTree> tree;  ///< faithful in every cell of the box; nothing unless `ended` says faithful
    HeuristicEnd ended = HeuristicEnd::faithful;
    HeuristicFigures figures;
};

/// A tree that decides as the ensemble does in every cell of the box: every leaf is proven. The same on any number of
/// threads. When a limit is met there is no tree to give; sampled_bounds() then still gives bounds.
HeuristicResult heuristic_tree(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                               const HeuristicOptions& options, const HeuristicLimits& limits = {});

}  // namespace regrove::bornagain
