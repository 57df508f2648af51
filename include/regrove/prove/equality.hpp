// Whether two ensembles over one space decide alike at every cell: a proof, or a cell where they differ.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/cellspace/compiled_ensemble.hpp"
#include "regrove/prove/verdict.hpp"

namespace regrove::prove {

/// Where the two must decide alike: in all cells of `box`, or only in `cells`.
struct Domain {
    cellspace::Box box;
    bool only_cells = false;
    std::vector<std::uint32_t> cells = {};  ///< axes numbers a cell
};

struct EqualityQuestion {
    const cellspace::CompiledEnsemble* first = nullptr;
    const cellspace::CompiledEnsemble* second = nullptr;
    Domain domain;
    /// The first's class for each class of the second, each once; empty: the same numbers. Both decide ties by their
    /// own order.
    std::vector<std::uint32_t> first_class_of_second = {};
};

struct Equality {
    Verdict verdict = Verdict::undecided;
    std::vector<std::uint32_t> cell;  ///< verdict no: where they differ
    std::uint32_t first_class = 0;    ///< there, each in its own numbers
    std::uint32_t second_class = 0;
    std::uint64_t boxes = 0;
};

/// When one of the two is a single tree, the other is proven constant on its leaves, else both are cut together.
/// Without a stop the result is the same on any number of threads, the cell and the number of boxes included. Sums
/// are bounded with the rounding that prediction may have, and decided by the very rule of prediction where bounds do
/// not.
Equality prove_equal(const EqualityQuestion& question, const ProofLimits& limits);

}  // namespace regrove::prove
