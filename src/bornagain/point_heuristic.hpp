// A tree that is right at given cells, by greedy splits: what is given when a search on rows is stopped.
#pragma once

#include "regrove/bornagain/cell_tree.hpp"

#include "root_tensor.hpp"

namespace regrove::bornagain {

/// Splits by least Gini impurity, ties by (axis, cut). O(depth * axes * n log n) for n known cells.
CellTree point_tree(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box);

}  // namespace regrove::bornagain
