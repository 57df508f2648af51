// Reads the tree off the memo: of all optimal splits of a state the first in an order of their own, whoever proved what.
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

    /// `right_first`: works from right to left; the tree is the same.
    TreeBuilder(Search<Objective>& search, const cellspace::CompiledEnsemble& ensemble, Prefetch prefetch,
                bool right_first = false)
        : search_(search), ensemble_(ensemble), prefetch_(std::move(prefetch)), right_first_(right_first) {}

    /// The canonical optimal tree of a region. What the memo does not know yet is solved. Throws SearchEnded.
    CellTree build(const RootTensor& root, const cellspace::Box& box, Budget budget) {
        region_ = box;
        root_ = &root;
        CellTree tree;
        if (root.classes == 1)
            tree.nodes = leaf();
        else
            tree.nodes = state(root.tensor, root.map, search_.bench().kernels->key(root.tensor), budget);
        return tree;
    }

  private:
    /// Smaller states are solved again sooner than others could be asked.
    static constexpr std::uint32_t k_prefetched_cells = 16 * SearchControl::k_shared_cells;

    using Nodes = std::vector<CellNode>;

    struct Chosen {
        std::uint32_t axis = 0;
        std::uint32_t cut = 0;
        friend auto operator<=>(const Chosen&, const Chosen&) = default;
    };

    Nodes leaf() const {
        CellNode leaf;
        leaf.class_index = class_of(*root_, ensemble_, region_);
        return {leaf};
    }

    Nodes state(const CellTensor& tensor, const SliceMap& map, const StateKey& key, Budget budget) {
        const Chosen chosen = choose(tensor, key, budget);
        const std::uint32_t axis = tensor.shape.origin[chosen.axis];
        const std::uint32_t first_right = map[axis][chosen.cut + 1];
        std::array<Nodes, 2> sides;
        for (const bool right : {right_first_, !right_first_}) {
            std::uint32_t& border = right ? region_.low[axis] : region_.high[axis];
            const std::uint32_t before = border;
            border = right ? first_right : first_right - 1;
            sides[right ? 1 : 0] = side(
                tensor, map, right ? right_side(tensor, chosen.axis, chosen.cut) : left_side(chosen.axis, chosen.cut),
                budget);
            (right ? region_.low[axis] : region_.high[axis]) = before;
        }
        return join(axis, first_right - 1, std::move(sides[0]), sides[1]);
    }

    /// A node above two sides, in pre-order.
    static Nodes join(std::uint32_t axis, std::uint32_t cut, Nodes left, const Nodes& right) {
        CellNode top;
        top.axis = axis;
        top.cut = cut;
        top.right = 1 + static_cast<std::uint32_t>(left.size());
        for (CellNode& node : left)
            if (!node.is_leaf()) ++node.right;
        left.insert(left.begin(), top);
        for (CellNode node : right) {
            if (!node.is_leaf()) node.right += top.right;
            left.push_back(node);
        }
        return left;
    }

    Nodes side(const CellTensor& tensor, const SliceMap& map, const Side& side, Budget budget) {
        CellTensor child;
        SliceMap child_map = map;
        const std::uint32_t classes = search_.bench().kernels->take_slices(
            tensor, side.axis, side.first, side.last, child, search_.bench().scratch, &child_map);
        if (classes == 1) return leaf();
        return state(child, child_map, search_.bench().kernels->key(child), Objective::for_child(budget));
    }

    /// The state's value: solved if it is not yet.
    std::uint32_t value_of(const CellTensor& tensor, const StateKey& key, Budget budget) {
        StateBounds bounds = search_.bounds(tensor, key, budget);
        while (!bounds.solved())
            bounds = search_.solve(tensor, key, budget, Objective::k_monotone_sides ? bounds.lower : k_unbounded - 1);
        return bounds.upper;
    }

    /// A split as the builder tries it: those that leave least to be split on the worse side come first.
    struct Candidate {
        std::uint32_t most_hyperplanes = 0;
        std::uint32_t all_hyperplanes = 0;
        Chosen cut;
        friend auto operator<=>(const Candidate&, const Candidate&) = default;
    };

    Chosen choose(const CellTensor& tensor, const StateKey& key, Budget budget) {
        const std::uint32_t value = value_of(tensor, key, budget);
        const Budget child_budget = Objective::for_child(budget);
        std::vector<Candidate> candidates;
        std::vector<StateKey> keys;
        for (std::uint32_t j = 0; j < tensor.shape.axes; ++j)
            for (std::uint32_t l = 0; l + 1 < tensor.shape.slices[j]; ++l) {
                search_.leave_if_ended(tensor);
                Candidate candidate{0, 0, {j, l}};
                for (const Side& side : {left_side(j, l), right_side(tensor, j, l)}) {
                    const Child child = search_.make_child(tensor, side, children_[0]);
                    const std::uint32_t hyperplanes = children_[0].shape.hyperplanes();
                    candidate.most_hyperplanes = std::max(candidate.most_hyperplanes, hyperplanes);
                    candidate.all_hyperplanes += hyperplanes;
                    if (!child.is_leaf) keys.push_back(salted(child.key, Objective::salt(child_budget)));
                }
                candidates.push_back(candidate);
            }
        if (prefetch_ && tensor.cells >= k_prefetched_cells) prefetch_(keys);
        std::sort(candidates.begin(), candidates.end());
        for (const Candidate& candidate : candidates)
            if (reaches(tensor, candidate.cut.axis, candidate.cut.cut, value, child_budget)) return candidate.cut;
        throw InternalError("a solved state has no split of its value");
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
    bool right_first_;
    cellspace::Box region_;
    const RootTensor* root_ = nullptr;
    std::array<CellTensor, 2> children_;
};

}  // namespace regrove::bornagain
