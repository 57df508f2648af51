#include "box_heuristic_tree.hpp"

#include <algorithm>

namespace regrove::bornagain {

namespace {

class PieceJoiner {
  public:
    void add(const HeuristicPiece& piece) {
        const auto place = static_cast<std::uint32_t>(tree.nodes.size());
        if (piece.left == nullptr) {
            for (CellNode node : piece.subtree.nodes) {
                node.right += node.is_leaf() ? 0 : place;
                tree.nodes.push_back(node);
            }
            return;
        }
        tree.nodes.push_back({piece.cut.axis, piece.cut.cell, 0, 0});
        add(*piece.left);
        const auto middle = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes[place].right = middle;
        add(*piece.right);
        if (sides_agree(place, middle)) keep_left(place, middle);
    }
    CellTree tree;

  private:
    bool sides_agree(std::uint32_t place, std::uint32_t middle) const {
        const std::size_t length = middle - place - 1;
        if (tree.nodes.size() - middle != length) return false;
        for (std::size_t i = 0; i < length; ++i) {
            CellNode other = tree.nodes[middle + i];
            if (!other.is_leaf()) other.right -= static_cast<std::uint32_t>(length);
            if (other != tree.nodes[place + 1 + i]) return false;
        }
        return true;
    }

    void keep_left(std::uint32_t place, std::uint32_t middle) {
        for (std::uint32_t i = place + 1; i < middle; ++i) {
            tree.nodes[i - 1] = tree.nodes[i];
            if (!tree.nodes[i].is_leaf()) --tree.nodes[i - 1].right;
        }
        tree.nodes.resize(middle - 1);
    }
};

}  // namespace

CellTree one_leaf(std::uint32_t class_index) {
    CellNode leaf;
    leaf.class_index = class_index;
    return {{leaf}};
}

CellTree join_pieces(const HeuristicPiece& root) {
    PieceJoiner joiner;
    joiner.add(root);
    return std::move(joiner.tree);
}

}  // namespace regrove::bornagain
