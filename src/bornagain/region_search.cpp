#include "region_search.hpp"

#include <chrono>
#include <mutex>
#include <new>
#include <thread>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"

#include "tree_builder.hpp"

namespace regrove::bornagain {

namespace {

/// Seconds between two looks at the hooks: less than anybody notices, more than a look costs.
constexpr double k_poll_seconds = 0.0005;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Answers a search's poll() now and then.
class HookPoll {
  public:
    HookPoll(const SearchHooks& hooks, const std::function<bool()>& wants_end)
        : hooks_(hooks), wants_end_(wants_end) {}
    bool operator()() {
        const double time = now();
        if (time < next_) return false;
        const bool wants_end = wants_end_ && wants_end_();
        const bool ends = hooks_.ends ? ask(wants_end) : wants_end;
        next_ = now() + k_poll_seconds;
        return ends;
    }

  private:
    /// Memory that runs out in the middle of the ranks' exchange is no end that they can agree on.
    bool ask(bool wants_end) {
        try {
            return hooks_.ends(wants_end);
        } catch (const std::bad_alloc&) {
            throw LimitError("memory ran out while ranks exchanged what they had proven; raise --memory-limit");
        }
    }

    const SearchHooks& hooks_;
    const std::function<bool()>& wants_end_;
    double next_ = 0;
};

template <class O>
void raise_until_solved(Search<O>& search, const CellTensor& tensor, const StateKey& key, typename O::Budget budget) {
    StateBounds bounds = search.bounds(tensor, key, budget);
    while (!bounds.solved())
        bounds = search.solve(tensor, key, budget, O::k_monotone_sides ? bounds.lower : k_unbounded - 1);
}

}  // namespace

/// Every thread asks for the root's value; what one has proven the others find in the memo.
template <class O>
bool RegionSearch::solve(typename O::Budget budget, const SearchHooks& hooks) {
    const std::uint32_t workers = thread_count();
    SearchControl control(memo_, workers, *root_.kernels, hooks.stacks, hooks.first_stack);
    HookPoll poll(hooks, wants_end_);
    control.poll = [&poll] { return poll(); };
    control.is_elsewhere = hooks.is_elsewhere;
    control.process = hooks.process;
    control.processes = hooks.processes;
    const StateKey key = root_.kernels->key(root_.tensor);
    const StateKey root = salted(key, O::salt(budget));
    if (hooks.stage_begins) hooks.stage_begins(root);
    const auto caller = std::this_thread::get_id();
    std::atomic<std::uint32_t> next_helper{1};
    parallel_for(workers, [&](std::size_t) {
        // The hooks may use what only the calling thread may: it is always worker 0.
        const std::uint32_t worker = std::this_thread::get_id() == caller ? 0 : next_helper.fetch_add(1);
        if (worker >= workers || control.ended) return;
        try {
            Search<O> search(control, worker);
            raise_until_solved(search, root_.tensor, key, budget);
        } catch (const SearchEnded&) {
        } catch (const std::bad_alloc&) {
            control.out_of_memory = true;
        } catch (...) {
            control.ended = true;  // the others must not go on until the root is solved
            throw;
        }
        control.ended = true;
    });
    expanded_ += control.expanded;
    out_of_memory_ = out_of_memory_ || control.out_of_memory;
    if (hooks.stage_ends) hooks.stage_ends(out_of_memory_);
    StateBounds bounds;
    return memo_.find(root, bounds) && bounds.solved();
}

/// All threads read the tree, half of them from right to left, so that what is still to be solved is shared; the first
/// to end gives it.
template <class O>
std::optional<CellTree> RegionSearch::build(const cellspace::Box& box, typename O::Budget budget,
                                            const SearchHooks& hooks) {
    const std::uint32_t workers = thread_count();
    SearchControl control(memo_, workers, *root_.kernels, hooks.stacks, hooks.first_stack);
    HookPoll poll(hooks, wants_end_);
    control.poll = [&poll] { return poll(); };
    control.process = hooks.process;
    control.processes = hooks.processes;
    const auto caller = std::this_thread::get_id();
    std::atomic<std::uint32_t> next_helper{1};
    std::mutex giving;
    std::optional<CellTree> given;
    parallel_for(workers, [&](std::size_t) {
        const bool is_caller = std::this_thread::get_id() == caller;
        const std::uint32_t worker = is_caller ? 0 : next_helper.fetch_add(1);
        if (worker >= workers || control.ended) return;
        try {
            Search<O> search(control, worker);
            TreeBuilder<O> builder(search, ensemble_, is_caller ? hooks.prefetch : nullptr,
                                   (hooks.process * workers + worker) % 2 == 1);
            CellTree tree = builder.build(root_, box, budget);
            const std::lock_guard hold(giving);
            given = std::move(tree);
        } catch (const SearchEnded&) {
        } catch (const std::bad_alloc&) {
            control.out_of_memory = true;
        } catch (...) {
            control.ended = true;
            throw;
        }
        control.ended = true;
    });
    expanded_ += control.expanded;
    out_of_memory_ = out_of_memory_ || control.out_of_memory;
    return given;
}

RegionBounds RegionSearch::bounds() {
    RegionBounds bounds;
    if (root_.classes == 1) return {{0, 0}, {1, 1}, {1, 1}, true};
    const StateKey key = root_.kernels->key(root_.tensor);
    if (!own_) {
        Workbench bench(*root_.kernels);
        own_.emplace();
        own_->depth = depth_bounds(root_.tensor, key, bench);
        // A fooling set of the whole region takes its time: not where nobody asks for leaves.
        own_->leaves = {least_leaves(root_.tensor, bench), k_unbounded};
        if (objective_ != Objective::depth)
            own_->leaves = leaves_bounds(root_.tensor, key, bench, *std::make_unique<FoolingCache>());
    }
    const auto known = [&](std::uint64_t salt, const StateBounds& own) {
        StateBounds found = own;
        if (!memo_.find(salted(key, salt), found)) return own;
        return StateBounds{std::max(found.lower, own.lower), std::min(found.upper, own.upper)};
    };
    bounds.depth = known(DepthObjective::salt({}), own_->depth);
    bounds.all_leaves = known(LeavesObjective::salt({}), own_->leaves);
    bounds.leaves = bounds.all_leaves;
    if (objective_ == Objective::depth_leaves) {
        bounds.leaves.upper = k_unbounded;  // of a tree that may be deeper
        if (bounds.depth.solved()) {
            const StateBounds within = known(BoundedLeavesObjective::salt({bounds.depth.upper}), bounds.leaves);
            bounds.leaves = {std::max(bounds.leaves.lower, within.lower), within.upper};
        }
    }
    bounds.solved = objective_ == Objective::depth    ? bounds.depth.solved()
                    : objective_ == Objective::leaves ? bounds.leaves.solved()
                                                      : bounds.depth.solved() && bounds.leaves.solved();
    return bounds;
}

RegionBounds RegionSearch::run(const SearchHooks& hooks, const std::function<bool()>& wants_end) {
    wants_end_ = wants_end;
    if (root_.classes == 1) return bounds();
    if (objective_ == Objective::leaves) {
        solve<LeavesObjective>({}, hooks);
    } else if (solve<DepthObjective>({}, hooks) && objective_ == Objective::depth_leaves) {
        solve<BoundedLeavesObjective>({bounds().depth.upper}, hooks);
    }
    return bounds();
}

std::optional<CellTree> RegionSearch::tree(const cellspace::Box& box, const SearchHooks& hooks) {
    if (objective_ == Objective::leaves) return build<LeavesObjective>(box, {}, hooks);
    if (objective_ == Objective::depth) return build<DepthObjective>(box, {}, hooks);
    return build<BoundedLeavesObjective>(box, {bounds().depth.upper}, hooks);
}

}  // namespace regrove::bornagain
