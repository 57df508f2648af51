// A model whose questions are asked of cells instead of values, surrogates and unseen categories included.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/cellspace/space.hpp"
#include "regrove/model/class_rule.hpp"

namespace regrove::cellspace {

/// A node of a compiled tree. A question looks at one axis only; one with surrogates has become several nodes, which
/// may share children, so that a tree is a graph without cycles whose edges lead to higher numbers.
struct Step {
    static constexpr std::uint32_t k_leaf = 0xFFFFFFFF;
    std::uint32_t axis = k_leaf;    ///< k_leaf: a leaf
    std::uint32_t first_right = 0;  ///< cells from here on go right, if `mask` is empty
    std::uint32_t mask =
        0;  ///< place in CompiledTree::masks of the bits of cells that go right; 0: none, use first_right
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t leaf = 0;  ///< a leaf's node number in the model's tree
    bool is_leaf() const { return axis == k_leaf; }
};

struct CompiledTree {
    std::vector<Step> steps;           ///< the root is 0
    std::vector<std::uint64_t> masks;  ///< bit c of words masks[mask ..]: cell c goes right; word 0 is not used
    bool goes_right(const Step& step, std::uint32_t cell) const {
        if (step.mask == 0) return cell >= step.first_right;
        return ((masks[step.mask + cell / 64] >> (cell % 64)) & 1U) != 0;
    }
    /// Whether some cell of low..high goes left, or right.
    bool some_left(const Step& step, std::uint32_t low, std::uint32_t high) const;
    bool some_right(const Step& step, std::uint32_t low, std::uint32_t high) const;
};

class CompiledEnsemble {
  public:
    /// Every feature that the model asks for must be an axis of the space. Classification only (InputError).
    CompiledEnsemble(const model::Ensemble& ensemble, const Space& space);

    std::uint32_t classes() const { return rule_.classes(); }
    const std::vector<CompiledTree>& trees() const { return trees_; }
    const model::ClassRule& rule() const { return rule_; }
    /// The class at a cell (one number an axis).
    std::uint32_t class_at(std::span<const std::uint32_t> cell) const;
    /// Leaf (model node) of one tree at a cell.
    NodeId leaf_at(std::size_t tree, std::span<const std::uint32_t> cell) const;

  private:
    model::ClassRule rule_;
    std::vector<CompiledTree> trees_;
};

}  // namespace regrove::cellspace
