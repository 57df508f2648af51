// A tree with some of its inner nodes made leaves.
#pragma once

#include <span>

#include "regrove/model/tree.hpp"

namespace regrove::prune {

/// The tree after cutting below `nodes`, in any order; a node below another one, or a leaf, changes nothing. A cut node
/// keeps its training figures and answers with its own value; nodes are numbered anew in pre-order. O(n).
model::Tree cut_nodes(const model::Tree& tree, std::span<const NodeId> nodes);

}  // namespace regrove::prune
