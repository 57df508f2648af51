// A good faithful tree of a region whose cells are all known: the first upper bound of the searches, and the tree that
// is given when one of them is stopped.
//
// From the top down: large states are split by information gain, middle ones where the children's lower bounds are
// least, small ones solved by the exact search. Every state's split depends on its cells alone.
#pragma once

#include <cstdint>

#include "regrove/bornagain/cell_tree.hpp"
#include "regrove/bornagain/memo.hpp"
#include "regrove/bornagain/reborn.hpp"

#include "root_tensor.hpp"

namespace regrove::bornagain {

/// What a state may cost. The larger, the smaller the trees.
struct TensorHeuristicEffort {
    std::uint32_t bounded_cells = 1U << 10U;  ///< up to so many cells all splits are tried for their bounds
    std::uint32_t solved_cells = 1U << 9U;    ///< up to so many the exact search is tried ...
    std::uint64_t expansions = 20;            ///< ... for so many expanded states
};

struct TensorHeuristicOptions {
    /// depth: shallow trees; leaves, heuristic: trees of few leaves; depth_leaves: few leaves within `depth_budget`
    /// where the memo knows such a tree, else shallow trees.
    Objective objective = Objective::leaves;
    std::uint32_t depth_budget = 0;
    TensorHeuristicEffort effort;
};

/// A faithful tree of the region, its splits in cells of the space: the same for the same region. With a memo, a state
/// for which it knows a tree is split as that tree is, first (axis, cut) first, so that what is solved is built
/// optimally; what is learnt on the way stays in the memo.
CellTree heuristic_tree(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble,
                        const TensorHeuristicOptions& options, Memo* memo = nullptr);

}  // namespace regrove::bornagain
