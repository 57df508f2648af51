// The one search: proves bounds on the value of a state by trying cuts, for every objective.
//
// solve(state, limit) ends when the memo knows that the state's value is above `limit`, or knows a value of at most
// `limit`. Two ways of choosing what to look at next cover all objectives:
//   monotone sides   (depth) left sides get harder and right sides easier as the cut moves up (theorem 3), so a feature
//                    is refuted by two neighbouring cuts: left(l) fails and right(l - 1) fails. Limits are tight
//                    (rising from the bound by one), children are made only when they are looked at.
//   best first       (leaves) the bounds of all children are worked out, and the split with the least sum is
//                    refined until it is solved or no longer the least; a state's bound rises to the least sum. Only
//                    splits whose bound is at most the value are ever refined (recursive best-first search).
// Both expand a state under its key in the memo, so equal content is never solved twice. Workers share the memo and
// leave to each other what another is busy with (as in Weill's ABDADA); what they prove does not depend on who did it.
#pragma once

#include <memory>
#include <vector>

#include "search_control.hpp"
#include "state_bounds.hpp"

namespace regrove::bornagain {

/// A side of a split: its key and what is known of it.
struct Child {
    StateKey key;
    StateBounds bounds;
    std::uint32_t cells = 1;
    bool is_leaf = false;
    bool is_made = false;  ///< else only a lower bound is known, and it was enough
};

/// Slices first..last of an axis go to a child.
struct Side {
    std::uint32_t axis = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

inline Side left_side(std::uint32_t axis, std::uint32_t cut) { return {axis, 0, cut}; }
inline Side right_side(const CellTensor& tensor, std::uint32_t axis, std::uint32_t cut) {
    return {axis, cut + 1, tensor.shape.slices[axis] - 1U};
}

/// Tensors by level of recursion, reused.
class TensorStack {
  public:
    CellTensor& at(std::uint32_t level) {
        while (tensors_.size() <= level) tensors_.push_back(std::make_unique<CellTensor>());
        return *tensors_[level];
    }

  private:
    std::vector<std::unique_ptr<CellTensor>> tensors_;
};

template <class Objective>
class Search {
  public:
    using Budget = typename Objective::Budget;

    /// `worker`: this one's number, below the control's number of workers.
    Search(SearchControl& control, std::uint32_t worker)
        : control_(control), worker_(worker), bench_(control.kernels) {}

    /// What is known of a state; works its own bounds out if it is new.
    StateBounds bounds(const CellTensor& tensor, const StateKey& content, Budget budget) {
        const StateKey key = salted(content, Objective::salt(budget));
        StateBounds known;
        if (control_.memo.find(key, known)) return known;
        return control_.memo.tighten(key, own_bounds(tensor, content, budget));
    }

    /// Afterwards bounds() has lower > limit, or upper <= limit (leaves: is solved). Throws SearchEnded.
    StateBounds solve(const CellTensor& tensor, const StateKey& content, Budget budget, std::uint32_t limit,
                      std::uint32_t level = 0) {
        const StateKey key = salted(content, Objective::salt(budget));
        const StateBounds known = bounds(tensor, content, budget);
        if (known.lower > limit || known.solved() || (Objective::k_monotone_sides && known.upper <= limit))
            return known;
        control_.expanded.fetch_add(1, std::memory_order_relaxed);
        leave_if_ended();
        control_.stack_of(worker_).push(key);
        struct Pop {
            BusyStack& stack;
            ~Pop() { stack.pop(); }
        } const pop{control_.stack_of(worker_)};
        if constexpr (Objective::k_monotone_sides)
            return bisect_cuts(tensor, content, budget, {limit, known.lower == limit}, level);
        else
            return refine_best(tensor, content, budget, limit, level);
    }

    /// A side as a state, its tensor in `out`; bounds are left alone but for leaves.
    Child make_child(const CellTensor& tensor, const Side& side, CellTensor& out) {
        Child child;
        const std::uint32_t classes =
            bench_.kernels->take_slices(tensor, side.axis, side.first, side.last, out, bench_.scratch, nullptr);
        child.is_leaf = classes == 1;
        child.is_made = true;
        child.cells = out.cells;
        if (child.is_leaf)
            child.bounds = {Objective::k_leaf, Objective::k_leaf};
        else
            child.key = bench_.kernels->key(out);
        return child;
    }

    Workbench& bench() { return bench_; }

    /// Throws SearchEnded when the search is over; for loops over states so large that each step takes milliseconds.
    void leave_if_ended(const CellTensor& tensor) {
        if (tensor.cells >= k_slow_cells) leave_if_ended();
    }

  private:
    StateBounds own_bounds(const CellTensor& tensor, const StateKey& content, Budget budget);

    StateBounds known(const StateKey& salted_key) const {
        StateBounds bounds;
        control_.memo.find(salted_key, bounds);
        return bounds;
    }

    void leave_if_ended() {
        if (worker_ == 0 && control_.poll()) control_.ended = true;
        if (control_.ended.load(std::memory_order_relaxed)) throw SearchEnded{};
    }

    bool is_busy(const Child& child, Budget budget) const {
        return control_.is_busy(worker_, salted(child.key, Objective::salt(budget)), child.cells);
    }
    bool shares_work() const { return control_.shares_work(); }

    // Monotone sides.

    struct AxisCuts {
        std::int32_t first = 0;
        std::int32_t last = -1;
        bool waits = false;  ///< another is busy with what would be looked at next
    };

    /// A question to a state: is its value at most `limit`? Only if `is_tight` can its own cells say more about cuts:
    /// otherwise their bounds are below the limit.
    struct Limit {
        std::uint32_t limit = 0;
        bool is_tight = false;
    };

    /// The cuts that the bounds of the state's own cells leave possible for a tree of depth `limit`.
    std::vector<AxisCuts> possible_cuts(const CellTensor& tensor, const StateKey& content, const Limit& limit,
                                        std::vector<ForcedCut>& forced, bool& is_forced) {
        const GridShape& shape = tensor.shape;
        std::vector<AxisCuts> cuts(shape.axes);
        for (std::uint32_t j = 0; j < shape.axes; ++j) cuts[j].last = static_cast<std::int32_t>(shape.slices[j]) - 2;
        if (!limit.is_tight) return cuts;
        is_forced = bench_.kernels->forced_cuts(tensor, bench_.differences_of(tensor, content), limit.limit, forced);
        if (shape.axes < limit.limit || is_forced) return cuts;
        std::vector<CutRange> ranges;
        if (bench_.kernels->degree(tensor, &ranges, bench_.scratch) < limit.limit) return cuts;
        for (std::uint32_t j = 0; j < shape.axes; ++j) {
            cuts[j].first = ranges[j].first;
            cuts[j].last = ranges[j].last;
        }
        return cuts;
    }

    StateBounds bisect_cuts(const CellTensor& tensor, const StateKey& content, Budget budget, const Limit& question,
                            std::uint32_t level) {
        const StateKey key = salted(content, Objective::salt(budget));
        const std::uint32_t limit = question.limit;
        std::vector<ForcedCut> forced;
        bool is_forced = false;
        std::vector<AxisCuts> cuts = possible_cuts(tensor, content, question, forced, is_forced);
        const auto succeed = [&] { return control_.memo.tighten(key, {0, limit}, true); };
        if (is_forced) {
            for (const ForcedCut& cut : forced) {
                AxisCuts one = cuts[cut.axis];
                const auto at = static_cast<std::int32_t>(cut.cut);
                if (at < one.first || at > one.last) continue;
                one.first = one.last = at;
                if (try_axis(tensor, cut.axis, one, budget, limit, level, false)) return succeed();
            }
            return control_.memo.tighten(key, {limit + 1, k_unbounded}, true);
        }
        // Each worker of each process begins with another axis.
        const auto axes = static_cast<std::uint32_t>(cuts.size());
        const std::uint32_t first_axis =
            (control_.process * control_.workers + worker_) * axes / (control_.processes * control_.workers);
        bool someone_waits = false;
        for (int pass = 0; pass == 0 || someone_waits; ++pass) {
            someone_waits = false;
            for (std::uint32_t i = 0; i < cuts.size(); ++i) {
                const std::uint32_t axis = (i + first_axis) % axes;
                AxisCuts& own = cuts[axis];
                if (own.first > own.last) continue;
                if (try_axis(tensor, axis, own, budget, limit, level, pass == 0 && shares_work())) return succeed();
                someone_waits = someone_waits || own.first <= own.last;
                if (pass > 0 && shares_work()) {
                    const StateBounds others = known(key);
                    if (others.lower > limit || others.upper <= limit) return others;
                }
            }
        }
        return control_.memo.tighten(key, {limit + 1, k_unbounded}, true);
    }

    /// Whether some cut in `cuts` gives sides of depth at most limit - 1; what is refuted is taken out of `cuts`. With
    /// `may_wait` it stops early, cuts left over, before doing what another worker is busy with.
    bool try_axis(const CellTensor& tensor, std::uint32_t axis, AxisCuts& cuts, Budget budget, std::uint32_t limit,
                  std::uint32_t level, bool may_wait) {
        CellTensor& scratch = stack_.at(level);
        const Budget child_budget = Objective::for_child(budget);
        const std::uint32_t side_limit = Objective::side_limit(limit, 0);
        while (cuts.first <= cuts.last) {
            const std::int32_t cut = cuts.first + (cuts.last - cuts.first) / 2;
            const auto at = static_cast<std::uint32_t>(cut);
            const std::array<Side, 2> sides{left_side(axis, at), right_side(tensor, axis, at)};
            const auto refute = [&](int side) { side == 0 ? cuts.last = cut - 1 : cuts.first = cut + 1; };
            std::array<Child, 2> children;
            const int larger = (at + 1) * 2 >= tensor.shape.slices[axis] ? 0 : 1;
            bool refuted = false;
            for (const int side : {larger, 1 - larger}) {
                Child& made = children[static_cast<std::size_t>(side)];
                made = make_child(tensor, sides[static_cast<std::size_t>(side)], scratch);
                if (!made.is_leaf) made.bounds = bounds(scratch, made.key, child_budget);
                if (made.bounds.lower <= side_limit) continue;
                refute(side);
                refuted = true;
                break;
            }
            if (refuted) continue;
            const int harder = children[0].bounds.lower != children[1].bounds.lower
                                   ? (children[0].bounds.lower > children[1].bounds.lower ? 0 : 1)
                                   : larger;
            for (const int side : {harder, 1 - harder}) {
                Child& next = children[static_cast<std::size_t>(side)];
                if (next.bounds.upper <= side_limit) continue;
                if (may_wait && is_busy(next, child_budget)) return false;
                make_child(tensor, sides[static_cast<std::size_t>(side)], scratch);
                next.bounds = solve(scratch, next.key, child_budget, side_limit, level + 1);
                if (next.bounds.lower <= side_limit) continue;
                refute(side);
                refuted = true;
                break;
            }
            if (!refuted) return true;
        }
        return false;
    }

    // Best first.

    struct Split {
        std::array<Side, 2> sides;
        std::array<Child, 2> children;
        std::uint32_t lower() const { return Objective::join(children[0].bounds.lower, children[1].bounds.lower); }
    };

    /// Each side of a state of so many cells takes milliseconds.
    static constexpr std::uint32_t k_slow_cells = 1U << 15U;

    /// All splits with bounds of both sides, worked out until their sum is above `limit`. Every other worker goes backwards:
    /// those that come to a state together meet in the middle.
    std::vector<Split> all_splits(const CellTensor& tensor, const StateKey& content, Budget child_budget,
                                  std::uint32_t limit, std::uint32_t level) {
        std::vector<Split> splits;
        splits.reserve(tensor.shape.hyperplanes());
        const FoolingCounts fooling = fooling_counts(tensor, content, bench_, fooling_);  // a copy: slots are reused
        const std::uint32_t* below = fooling.below.data();
        for (std::uint32_t j = 0; j < tensor.shape.axes; ++j)
            for (std::uint32_t l = 0; l + 1 < tensor.shape.slices[j]; ++l) {
                Split& split = splits.emplace_back();
                split.sides = {left_side(j, l), right_side(tensor, j, l)};
                split.children[0].bounds.lower = std::max(*below, 1U);
                split.children[1].bounds.lower = std::max(fooling.size - *below++, 1U);
            }
        const bool backwards = (control_.process * control_.workers + worker_) % 2 == 1;
        for (std::size_t i = 0; i < splits.size(); ++i) {
            leave_if_ended(tensor);
            bound_sides(tensor, splits[backwards ? splits.size() - 1 - i : i], child_budget, limit, level);
        }
        return splits;
    }

    void bound_sides(const CellTensor& tensor, Split& split, Budget child_budget, std::uint32_t limit,
                     std::uint32_t level) {
        const std::array<CellTensor*, 2> made{&stack_.at(2 * level), &stack_.at(2 * level + 1)};
        std::array<bool, 2> is_new{};
        const std::size_t narrower =
            split.sides[0].last - split.sides[0].first <= split.sides[1].last - split.sides[1].first ? 0 : 1;
        for (const std::size_t side : {narrower, 1 - narrower}) {
            if (split.lower() > limit) return;
            Child& child = split.children[side];
            const std::uint32_t inherited = child.bounds.lower;
            child = make_child(tensor, split.sides[side], *made[side]);
            if (child.is_leaf) continue;
            is_new[side] = !control_.memo.find(salted(child.key, Objective::salt(child_budget)), child.bounds);
            if (is_new[side]) child.bounds.lower = least_leaves(*made[side], bench_);
            child.bounds.lower = std::max(child.bounds.lower, inherited);
            if (side == narrower && is_new[side] && split.lower() <= limit)
                bound_child(*made[side], child, child_budget);
        }
        const std::size_t wider = 1 - narrower;
        if (is_new[wider] && split.lower() <= limit) bound_child(*made[wider], split.children[wider], child_budget);
    }

    void bound_child(const CellTensor& tensor, Child& child, Budget child_budget) {
        const std::uint32_t inherited = child.bounds.lower;
        child.bounds = bounds(tensor, child.key, child_budget);
        if (inherited <= child.bounds.lower) return;
        child.bounds =
            control_.memo.tighten(salted(child.key, Objective::salt(child_budget)), {inherited, child.bounds.upper});
    }

    /// What to refine next: of the splits in order of their bounds the first with a side that nobody is busy with.
    struct Choice {
        std::size_t split = 0;
        std::size_t side = 0;
        std::uint32_t side_limit = 0;
    };

    StateBounds refine_best(const CellTensor& tensor, const StateKey& content, Budget budget, std::uint32_t limit,
                            std::uint32_t level) {
        const StateKey key = salted(content, Objective::salt(budget));
        const Budget child_budget = Objective::for_child(budget);
        std::vector<Split> splits = all_splits(tensor, content, child_budget, limit, level);
        for (;;) {
            if (shares_work()) refresh(splits, child_budget);
            std::uint32_t least = k_unbounded;
            std::uint32_t second = k_unbounded;
            std::size_t best = 0;
            for (std::size_t i = 0; i < splits.size(); ++i) {
                const std::uint32_t lower = splits[i].lower();
                if (lower < least) {
                    second = least;
                    least = lower;
                    best = i;
                } else {
                    second = std::min(second, lower);
                }
            }
            const Split& split = splits[best];
            const bool solved =
                least < k_unbounded && split.children[0].bounds.solved() && split.children[1].bounds.solved();
            const StateBounds now = control_.memo.tighten(key, {least, solved ? least : k_unbounded}, true);
            if (now.solved() || now.lower > limit) return now;
            refine(tensor, splits, choose(splits, best, std::min(limit, second), limit, child_budget), child_budget,
                   level);
        }
    }

    static constexpr std::uint32_t k_look_ahead_share = 50;

    Choice choose(const std::vector<Split>& splits, std::size_t best, std::uint32_t target, std::uint32_t limit,
                  Budget child_budget) {
        const auto make = [&](std::size_t i, std::size_t side, std::uint32_t least) {
            const Split& split = splits[i];
            return Choice{i, side,
                          std::max(Objective::side_limit(least, split.children[1 - side].bounds.lower),
                                   split.children[side].bounds.lower)};
        };
        const auto harder = [&](const Split& split) -> std::size_t {
            if (split.children[0].bounds.solved()) return 1;
            if (split.children[1].bounds.solved()) return 0;
            return split.children[0].bounds.lower >= split.children[1].bounds.lower ? 0 : 1;
        };
        const std::size_t first = harder(splits[best]);
        if (!shares_work()) return make(best, first, target);
        const auto is_free = [&](std::size_t i, std::size_t side) {
            const Child& child = splits[i].children[side];
            return child.is_made && !child.bounds.solved() && !is_busy(child, child_budget);
        };
        if (is_free(best, first)) return make(best, first, target);
        if (is_free(best, 1 - first)) return make(best, 1 - first, target);
        // Others are at the best split: look ahead at the one that follows it most closely, if that is likely to count.
        std::size_t next = splits.size();
        std::size_t next_side = 0;
        const std::uint32_t lowest = splits[best].lower();
        std::uint32_t least = std::min({limit, k_unbounded - 1, lowest + 1 + lowest / k_look_ahead_share});
        for (std::size_t i = 0; i < splits.size(); ++i) {
            const std::uint32_t lower = splits[i].lower();
            if (i == best || lower > least || (lower == least && next != splits.size())) continue;
            for (const std::size_t side : {harder(splits[i]), 1 - harder(splits[i])})
                if (is_free(i, side)) {
                    next = i;
                    next_side = side;
                    least = lower;
                    break;
                }
        }
        if (next == splits.size()) return make(best, first, target);
        return make(next, next_side, least);
    }

    void refine(const CellTensor& tensor, std::vector<Split>& splits, const Choice& choice, Budget child_budget,
                std::uint32_t level) {
        const Split& split = splits[choice.split];
        CellTensor& scratch = stack_.at(2 * level);
        const StateKey key = split.children[choice.side].key;
        make_child(tensor, split.sides[choice.side], scratch);
        const StateBounds bounds = solve(scratch, key, child_budget, choice.side_limit, level + 1);
        for (Split& other : splits)
            for (Child& child : other.children)
                if (child.is_made && !child.is_leaf && child.key == key)  // what was inherited may be more
                    child.bounds = {std::max(child.bounds.lower, bounds.lower), bounds.upper};
    }

    void refresh(std::vector<Split>& splits, Budget child_budget) const {
        for (Split& split : splits)
            for (Child& child : split.children)
                if (child.is_made && !child.is_leaf && !child.bounds.solved()) {
                    const StateBounds now = known(salted(child.key, Objective::salt(child_budget)));
                    if (now.lower >= child.bounds.lower) child.bounds = now;
                }
    }

    SearchControl& control_;
    std::uint32_t worker_;
    Workbench bench_;
    TensorStack stack_;
    FoolingCache fooling_;
    std::unique_ptr<Search<DepthObjective>> depth_;  ///< for budgets of depth
};

template <>
inline StateBounds Search<DepthObjective>::own_bounds(const CellTensor& tensor, const StateKey& content, NoBudget) {
    return depth_bounds(tensor, content, bench_);
}

template <>
inline StateBounds Search<LeavesObjective>::own_bounds(const CellTensor& tensor, const StateKey& content, NoBudget) {
    return leaves_bounds(tensor, content, bench_, fooling_);
}

/// No tree fits when the depth needed is above the budget; else at least as many leaves as without a budget.
template <>
inline StateBounds Search<BoundedLeavesObjective>::own_bounds(const CellTensor& tensor, const StateKey& content,
                                                              DepthBudget budget) {
    constexpr StateBounds none{k_unbounded, k_unbounded};
    if (!depth_) depth_ = std::make_unique<Search<DepthObjective>>(control_, worker_);
    if (depth_->bounds(tensor, content, {}).lower > budget.depth) return none;
    const StateKey leaves_key = salted(content, LeavesObjective::salt({}));
    StateBounds leaves;
    if (!control_.memo.find(leaves_key, leaves))
        leaves = control_.memo.tighten(leaves_key, leaves_bounds(tensor, content, bench_, fooling_));
    if (budget.depth < 32 && leaves.lower > (std::uint64_t{1} << budget.depth)) return none;
    if (depth_->solve(tensor, content, {}, budget.depth).lower > budget.depth) return none;
    // Each of R hyperplanes is asked at most once on a path: with that many levels the budget does not bind.
    if (tensor.shape.hyperplanes() <= budget.depth && leaves.solved()) return leaves;
    return {leaves.lower, k_unbounded};
}

}  // namespace regrove::bornagain
