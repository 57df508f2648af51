// Reads the tree off the memo: of all optimal splits of a state the first by (axis, cut), whoever proved what.
#pragma once

#include <functional>
#include <optional>

#include "regrove/bornagain/cell_tree.hpp"
#include "regrove/core/error.hpp"

#include "root_tensor.hpp"
#include "search.hpp"

namespace regrove::bornagain {

/// Keys that the builder will ask for next, so that a distributed memo can fetch them together.
using Prefetch = std::function<void(const std::vector<StateKey>&)>;

template <class Objective>
class TreeBuilder {
  public:
    using Budget = typename Objective::Budget;

    TreeBuilder(Search<Objective>& search, const cellspace::CompiledEnsemble& ensemble, Prefetch prefetch)
        : search_(search), ensemble_(ensemble), prefetch_(std::move(prefetch)) {}

    /// The canonical optimal tree of a region. What the memo does not know yet is solved. Throws SearchEnded.
    CellTree build(const RootTensor& root, const cellspace::Box& box, Budget budget) {
        tree_.nodes.clear();
        region_ = box;
        if (root.classes == 1)
            add_leaf();
        else
            build_state(root.tensor, root.map, search_.bench().kernels->key(root.tensor), budget, 0);
        return std::move(tree_);
    }

  private:
    struct Chosen {
        std::uint32_t axis = 0;
        std::uint32_t cut = 0;
    };

    void add_leaf() {
        CellNode leaf;
        leaf.class_index = ensemble_.class_at(region_.low);
        tree_.nodes.push_back(leaf);
    }

    void build_state(const CellTensor& tensor, const SliceMap& map, const StateKey& key, Budget budget,
                     std::uint32_t level) {
        const Chosen chosen = choose(tensor, key, budget);
        const std::uint32_t axis = tensor.shape.origin[chosen.axis];
        const std::uint32_t first_right = map[axis][chosen.cut + 1];
        const std::size_t place = tree_.nodes.size();
        CellNode node;
        node.axis = axis;
        node.cut = first_right - 1;
        tree_.nodes.push_back(node);
        for (const bool right : {false, true}) {
            if (right) tree_.nodes[place].right = static_cast<std::uint32_t>(tree_.nodes.size());
            std::uint32_t& border = right ? region_.low[axis] : region_.high[axis];
            const std::uint32_t before = border;
            border = right ? first_right : first_right - 1;
            build_side(tensor, map,
                       right ? right_side(tensor, chosen.axis, chosen.cut) : left_side(chosen.axis, chosen.cut),
                       budget, level);
            (right ? region_.low[axis] : region_.high[axis]) = before;
        }
    }

    void build_side(const CellTensor& tensor, const SliceMap& map, const Side& side, Budget budget,
                    std::uint32_t level) {
        CellTensor child;
        SliceMap child_map = map;
        const std::uint32_t classes = search_.bench().kernels->take_slices(
            tensor, side.axis, side.first, side.last, child, search_.bench().scratch, &child_map);
        if (classes == 1) return add_leaf();
        build_state(child, child_map, search_.bench().kernels->key(child), Objective::for_child(budget), level + 1);
    }

    /// The state's value: solved if it is not yet.
    std::uint32_t value_of(const CellTensor& tensor, const StateKey& key, Budget budget) {
        StateBounds bounds = search_.bounds(tensor, key, budget);
        while (!bounds.solved())
            bounds = search_.solve(tensor, key, budget, Objective::k_monotone_sides ? bounds.lower : k_unbounded - 1);
        return bounds.upper;
    }

    Chosen choose(const CellTensor& tensor, const StateKey& key, Budget budget) {
        const std::uint32_t value = value_of(tensor, key, budget);
        if (prefetch_) prefetch_children(tensor, budget);
        for (std::uint32_t j = 0; j < tensor.shape.axes; ++j)
            for (std::uint32_t l = 0; l + 1 < tensor.shape.slices[j]; ++l)
                if (reaches(tensor, j, l, value, Objective::for_child(budget))) return {j, l};
        throw InternalError("a solved state has no split of its value");
    }

    void prefetch_children(const CellTensor& tensor, Budget budget) {
        std::vector<StateKey> keys;
        const std::uint64_t salt = Objective::salt(Objective::for_child(budget));
        for (std::uint32_t j = 0; j < tensor.shape.axes; ++j)
            for (std::uint32_t l = 0; l + 1 < tensor.shape.slices[j]; ++l)
                for (const Side& side : {left_side(j, l), right_side(tensor, j, l)}) {
                    const Child child = search_.make_child(tensor, side, children_[0]);
                    if (!child.is_leaf) keys.push_back(salted(child.key, salt));
                }
        prefetch_(keys);
    }

    /// Whether a split gives `value`; solves its sides as far as that takes.
    bool reaches(const CellTensor& tensor, std::uint32_t axis, std::uint32_t cut, std::uint32_t value,
                 Budget child_budget) {
        const std::array<Side, 2> sides{left_side(axis, cut), right_side(tensor, axis, cut)};
        std::array<Child, 2> children;
        for (std::size_t side = 0; side < 2; ++side) {
            children[side] = search_.make_child(tensor, sides[side], children_[side]);
            if (!children[side].is_leaf)
                children[side].bounds = search_.bounds(children_[side], children[side].key, child_budget);
        }
        const auto lower = [&] { return Objective::join(children[0].bounds.lower, children[1].bounds.lower); };
        const std::size_t harder = children[0].bounds.lower >= children[1].bounds.lower ? 0 : 1;
        for (const std::size_t side : {harder, 1 - harder}) {
            if (lower() > value) return false;
            const std::uint32_t limit = Objective::side_limit(value, children[1 - side].bounds.lower);
            if (children[side].bounds.upper <= limit &&
                (Objective::k_monotone_sides || children[side].bounds.solved()))
                continue;
            children[side].bounds = search_.solve(children_[side], children[side].key, child_budget, limit);
        }
        return lower() <= value && Objective::join(children[0].bounds.upper, children[1].bounds.upper) <= value;
    }

    Search<Objective>& search_;
    const cellspace::CompiledEnsemble& ensemble_;
    Prefetch prefetch_;
    CellTree tree_;
    cellspace::Box region_;
    std::array<CellTensor, 2> children_;
};

}  // namespace regrove::bornagain
