// The pieces that a heuristic tree is made of, and how they become one tree.
#pragma once

#include "regrove/bornagain/cell_tree.hpp"

#include "purity_reach.hpp"

namespace regrove::bornagain {

/// A split of a box, or the tree of all of it.
struct HeuristicPiece {
    CellCut cut;
    HeuristicPiece* left = nullptr;
    HeuristicPiece* right = nullptr;
    CellTree subtree;  ///< if there are no sides
};

CellTree one_leaf(std::uint32_t class_index);

/// One tree in pre-order. Sides that say the same everywhere, node by node, become one.
CellTree join_pieces(const HeuristicPiece& root);

}  // namespace regrove::bornagain
