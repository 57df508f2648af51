#include "tensor_heuristic.hpp"

#include <memory>
#include <optional>

#include "search.hpp"
#include "tensor_heuristic_gain.hpp"

namespace regrove::bornagain {

namespace {

/// What is known of every state without a search: over one axis a tree is a search tree over the hyperplanes, and no
/// tree need ask a hyperplane twice on a path.
template <class O>
StateBounds plain_bounds(const CellTensor& tensor, typename O::Budget) {
    const std::uint32_t splits = tensor.shape.hyperplanes();
    if constexpr (O::k_monotone_sides) {
        if (tensor.shape.axes > 1 && splits > 2) return {0, splits};
        return {depth_for_splits(splits), depth_for_splits(splits)};
    } else {
        if (tensor.shape.axes > 1) return {0, k_unbounded};
        return {splits + 1, splits + 1};
    }
}

template <>
StateBounds plain_bounds<BoundedLeavesObjective>(const CellTensor& tensor, DepthBudget budget) {
    const StateBounds depth = plain_bounds<DepthObjective>(tensor, {});
    return depth.upper <= budget.depth ? plain_bounds<LeavesObjective>(tensor, {}) : StateBounds{0, k_unbounded};
}

/// Looks states up in a memo under one objective, and finds the splits that keep what it says.
template <class O>
class MemoReader {
  public:
    explicit MemoReader(const Memo& memo) : memo_(memo) {}

    /// A split whose sides are known to give the state's known upper bound; nothing if none is known.
    std::optional<TensorCut> split(const CellTensor& tensor, const StateKey& content, typename O::Budget budget) {
        const StateBounds plain = plain_bounds<O>(tensor, budget);
        const StateBounds known = bounds(tensor, content, budget);
        // A tree that is known of every such state is none to be proud of, unless there is no better one.
        if (known.upper >= k_unbounded || (known.upper >= plain.upper && !known.solved())) return std::nullopt;
        for (std::uint32_t j = 0; j < tensor.shape.axes; ++j)
            for (std::uint32_t l = 0; l + 1 < tensor.shape.slices[j]; ++l) {
                const std::uint32_t left = upper(tensor, left_side(j, l), O::for_child(budget));
                if (O::join(left, O::k_leaf) > known.upper) continue;
                const std::uint32_t right = upper(tensor, right_side(tensor, j, l), O::for_child(budget));
                if (O::join(left, right) <= known.upper) return TensorCut{j, l};
            }
        return std::nullopt;
    }

  private:
    std::uint32_t upper(const CellTensor& tensor, const Side& side, typename O::Budget budget) {
        const TensorKernels& kernels = tensor_kernels();
        if (kernels.take_slices(tensor, side.axis, side.first, side.last, child_, scratch_, nullptr) == 1)
            return O::k_leaf;
        return bounds(child_, kernels.key(child_), budget).upper;
    }

    StateBounds bounds(const CellTensor& tensor, const StateKey& content, typename O::Budget budget) const {
        const StateBounds plain = plain_bounds<O>(tensor, budget);
        StateBounds known;
        if (plain.solved() || !memo_.find(salted(content, O::salt(budget)), known)) return plain;
        return {std::max(known.lower, plain.lower), std::min(known.upper, plain.upper)};
    }

    const Memo& memo_;
    CellTensor child_;
    TensorScratch scratch_;
};

/// Builds the tree of one region. O: what is made small where the memo knows nothing.
template <class O>
class TensorTreeMaker {
  public:
    TensorTreeMaker(const cellspace::CompiledEnsemble& ensemble, const TensorHeuristicEffort& effort, Memo& memo)
        : ensemble_(ensemble), effort_(effort), memo_(memo), control_(memo, 1), search_(control_, 0), reader_(memo) {
        control_.poll = [this] { return control_.expanded > effort_.expansions; };
    }

    /// Follow the memo's trees of fewest leaves within this depth where it has some.
    void follow_depth_leaves(std::uint32_t budget) {
        budget_ = budget;
        bounded_ = std::make_unique<MemoReader<BoundedLeavesObjective>>(memo_);
        unbounded_ = std::make_unique<MemoReader<LeavesObjective>>(memo_);
    }

    CellTree make(const RootTensor& root) {
        make_state(root.tensor, root.classes, root.map, 0);
        return std::move(tree_);
    }

  private:
    void add_leaf(const SliceMap& map) {
        std::vector<std::uint32_t>& cell = cell_;
        cell.clear();
        for (const auto& slices : map) cell.push_back(slices.front());
        CellNode leaf;
        leaf.class_index = ensemble_.class_at(cell);
        tree_.nodes.push_back(leaf);
    }

    void make_state(const CellTensor& tensor, std::uint32_t classes, const SliceMap& map, std::uint32_t level) {
        if (classes == 1) return add_leaf(map);
        const TensorCut cut = choose(tensor, classes, level);
        const std::uint32_t axis = tensor.shape.origin[cut.axis];
        const std::size_t place = tree_.nodes.size();
        CellNode node;
        node.axis = axis;
        node.cut = map[axis][cut.slice + 1] - 1;
        tree_.nodes.push_back(node);
        for (const bool right : {false, true}) {
            if (right) tree_.nodes[place].right = static_cast<std::uint32_t>(tree_.nodes.size());
            const Side side = right ? right_side(tensor, cut.axis, cut.slice) : left_side(cut.axis, cut.slice);
            SliceMap child_map = map;
            CellTensor& child = stack_.at(level);
            const std::uint32_t child_classes = tensor_kernels().take_slices(
                tensor, side.axis, side.first, side.last, child, search_.bench().scratch, &child_map);
            make_state(child, child_classes, child_map, level + 1);
        }
    }

    TensorCut choose(const CellTensor& tensor, std::uint32_t classes, std::uint32_t level) {
        const StateKey key = tensor_kernels().key(tensor);
        if (const auto known = remembered(tensor, key, level)) return *known;
        if (tensor.cells <= effort_.solved_cells && solve(tensor, key))
            if (const auto known = reader_.split(tensor, key, {})) return *known;
        if (tensor.cells <= effort_.bounded_cells) return least_bound_cut(tensor);
        return best_gain_cut(tensor, classes, gain_);
    }

    std::optional<TensorCut> remembered(const CellTensor& tensor, const StateKey& key, std::uint32_t level) {
        if (bounded_ && budget_ > level) {
            const std::uint32_t left = budget_ - level;
            if (const auto known = bounded_->split(tensor, key, {left})) return known;
            if (tensor.shape.hyperplanes() <= left)
                if (const auto known = unbounded_->split(tensor, key, {})) return known;
        }
        return reader_.split(tensor, key, {});
    }

    /// Whether the exact search ends within the effort.
    bool solve(const CellTensor& tensor, const StateKey& key) {
        control_.ended = false;
        control_.expanded = 0;
        try {
            StateBounds bounds = search_.bounds(tensor, key, {});
            while (!bounds.solved())
                bounds = search_.solve(tensor, key, {}, O::k_monotone_sides ? bounds.lower : k_unbounded - 1);
            return true;
        } catch (const SearchEnded&) {
            return false;
        }
    }

    /// The split whose sides' lower bounds promise the least value; among equal ones the sides most alike in size.
    TensorCut least_bound_cut(const CellTensor& tensor) {
        TensorCut best;
        std::uint64_t least = ~std::uint64_t{0};
        for (std::uint32_t j = 0; j < tensor.shape.axes; ++j)
            for (std::uint32_t l = 0; l + 1 < tensor.shape.slices[j]; ++l) {
                const StateBounds left = side_bounds(tensor, left_side(j, l));
                const std::uint64_t left_cells = child_.cells;
                const StateBounds right = side_bounds(tensor, right_side(tensor, j, l));
                const std::uint64_t cost = (std::uint64_t{O::join(left.lower, right.lower)} << 32U) +
                                           std::max<std::uint64_t>(left_cells, child_.cells);
                if (cost >= least) continue;
                least = cost;
                best = {j, l};
            }
        return best;
    }

    StateBounds side_bounds(const CellTensor& tensor, const Side& side) {
        const Child child = search_.make_child(tensor, side, child_);
        return child.is_leaf ? child.bounds : search_.bounds(child_, child.key, {});
    }

    const cellspace::CompiledEnsemble& ensemble_;
    TensorHeuristicEffort effort_;
    Memo& memo_;
    SearchControl control_;
    Search<O> search_;
    MemoReader<O> reader_;
    std::uint32_t budget_ = 0;
    std::unique_ptr<MemoReader<BoundedLeavesObjective>> bounded_;
    std::unique_ptr<MemoReader<LeavesObjective>> unbounded_;
    TensorStack stack_;
    CellTensor child_;
    GainScratch gain_;
    std::vector<std::uint32_t> cell_;
    CellTree tree_;
};

}  // namespace

CellTree heuristic_tree(const RootTensor& root, const cellspace::CompiledEnsemble& ensemble,
                        const TensorHeuristicOptions& options, Memo* memo) {
    Memo own_memo;
    Memo& used = memo != nullptr ? *memo : own_memo;
    if (options.objective == Objective::depth || options.objective == Objective::depth_leaves) {
        TensorTreeMaker<DepthObjective> maker(ensemble, options.effort, used);
        if (options.objective == Objective::depth_leaves) maker.follow_depth_leaves(options.depth_budget);
        return maker.make(root);
    }
    return TensorTreeMaker<LeavesObjective>(ensemble, options.effort, used).make(root);
}

}  // namespace regrove::bornagain
