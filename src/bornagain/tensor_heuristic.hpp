// A good faithful tree of a region whose cells are all known: the first upper bound of the searches, and the tree that
// is given when one of them is stopped.
#pragma once

#include <cstdint>

#include "regrove/bornagain/cell_tree.hpp"
#include "regrove/bornagain/memo.hpp"
#include "regrove/bornagain/reborn.hpp"

#include "root_tensor.hpp"

namespace regrove::bornagain {

struct TensorHeuristicOptions {
    /// depth: shallow trees; leaves, heuristic: trees of few leaves; depth_leaves: few leaves within `depth_budget`
    /// where the memo knows such a tree, else shallow trees.
    Objective objective = Objective::leaves;
    std::uint32_t depth_budget = 0;
};

/// A faithful tree of the region, splits in cells of the space. The same for the same region. With a memo, a state for
/// which it knows an upper bound and the split that keeps it is split there, so that what is solved is built
/// optimally, first (axis, cut) first; what the memo learns on the way stays in it.
CellTree heuristic_tree(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble,
                        const TensorHeuristicOptions& options, Memo* memo = nullptr);

}  // namespace regrove::bornagain
