// A single tree over the cells of a space: what the searches make, before it is written as a model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/cellspace/space.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::bornagain {

/// A node asks whether a cell lies above `cut` on `axis` (then right), or is a leaf with a class. Pre-order: the root is
/// 0, a left child follows its parent at once.
struct CellNode {
    static constexpr std::uint32_t k_leaf = 0xFFFFFFFF;
    std::uint32_t axis = k_leaf;
    std::uint32_t cut = 0;    ///< cells <= cut go left
    std::uint32_t right = 0;  ///< node number of the right child
    std::uint32_t class_index = 0;
    bool is_leaf() const { return axis == k_leaf; }
    friend bool operator==(const CellNode&, const CellNode&) = default;
};

struct CellTree {
    std::vector<CellNode> nodes;

    std::uint32_t leaves() const;
    std::uint32_t depth() const;
    std::uint32_t class_at(std::span<const std::uint32_t> cell) const;
    friend bool operator==(const CellTree&, const CellTree&) = default;
};

/// The same tree as a model with the features and classes of `ensemble`, one weight 1 at each leaf's class. Its
/// provenance says "reborn". Throws InternalError when an axis is no feature of the ensemble.
model::Ensemble to_model(const CellTree& tree, const cellspace::Space& space, const model::Ensemble& ensemble);

}  // namespace regrove::bornagain
