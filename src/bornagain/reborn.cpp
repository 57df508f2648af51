// Which search an ensemble gets, and what is given when it ends early.
#include "regrove/bornagain/reborn.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/bornagain/heuristic.hpp"
#include "regrove/core/error.hpp"

#include "point_heuristic.hpp"
#include "point_kernels.hpp"
#include "region_search.hpp"
#include "sampled_bounds.hpp"
#include "tensor_heuristic.hpp"

namespace regrove::bornagain {

namespace {

/// Grids of more cells are searched through a heuristic tree's hyperplanes only.
constexpr double k_most_plain_log10_cells = 6.8;
/// Larger ones yet are not laid out as a tensor: one look at all of it would take longer than a stop may wait.
constexpr double k_most_log10_cells = 7.5;

cellspace::Box supported_box(const cellspace::Space& space, const RebornOptions& options) {
    cellspace::Box box = cellspace::whole(space);
    if (options.support == Support::all) return box;
    const std::size_t axes = space.axes.size();
    if (options.supported_cells.empty())
        throw InputError("the table has no row within the space: nothing to support");
    std::swap(box.low, box.high);  // the widest empty box
    for (std::size_t i = 0; i < options.supported_cells.size(); ++i) {
        box.low[i % axes] = std::min(box.low[i % axes], options.supported_cells[i]);
        box.high[i % axes] = std::max(box.high[i % axes], options.supported_cells[i]);
    }
    return box;
}

/// One call of reborn().
class Reborn {
  public:
    Reborn(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space, const RebornOptions& options,
           const RebornLimits& limits)
        : ensemble_(ensemble),
          options_(options),
          limits_(limits),
          box_(supported_box(space, options)),
          memo_(limits.memo != nullptr ? *limits.memo : own_memo_) {}

    RebornResult run() {
        result_.figures.log10_cells = log10_cells(all_slices(box_));
        const SliceMap slices = all_slices(box_);
        if (options_.support == Support::rows)
            search_points();
        else if (options_.objective == Objective::heuristic)
            heuristic(Ended::heuristic_done);
        else if (fits_tensor(slices, k_most_plain_log10_cells))
            search(root_tensor(ensemble_, slices));
        else
            search_large();
        if (result_.has_tree()) result_.value = is_depth() ? result_.tree.depth() : result_.tree.leaves();
        result_.lower_bound = is_depth() ? result_.depth_bound : result_.leaves_bound;
        return std::move(result_);
    }

  private:
    bool is_depth() const { return options_.objective == Objective::depth; }

    /// The heuristic's tree, if a limit leaves one, and bounds that need no grid.
    void heuristic(Ended ended) {
        result_.ended = ended;
        result_.tree = make_tree([&] { return large_tree(); });
        const auto& stop = result_.has_tree() || !limits_.overtime_ends ? limits_.stop : limits_.overtime_ends;
        const SampledBounds bounds = sampled_bounds(ensemble_, box_, {}, [&] { return stop && stop(); });
        result_.depth_bound = bounds.depth;
        result_.leaves_bound = bounds.leaves;
    }

    /// Without nodes when a limit comes first: `ended` says which.
    CellTree large_tree() {
        HeuristicOptions options;
        options.objective = options_.objective == Objective::heuristic ? Objective::leaves : options_.objective;
        options.samples = options_.heuristic_samples;
        options.seed = options_.seed;
        HeuristicLimits limits;
        limits.memory_bytes = limits_.memory_bytes;
        limits.ends = limits_.stop;
        HeuristicResult found = heuristic_tree(ensemble_, box_, options, limits);
        if (found.tree) return std::move(*found.tree);
        result_.ended = found.ended == HeuristicEnd::stopped ? Ended::stopped : Ended::out_of_memory;
        return {};
    }

    CellTree make_tree(const std::function<CellTree()>& make, const std::function<void()>& help = nullptr) {
        return limits_.hooks.make_tree ? limits_.hooks.make_tree(make, help) : make();
    }

    /// Only hyperplanes that a faithful tree uses can matter.
    void search_large() {
        heuristic(Ended::too_large);
        if (!result_.has_tree()) return;
        const SliceMap slices = slices_of(result_.tree, box_);
        if (!fits_tensor(slices, k_most_log10_cells)) return;
        const CellTree first = std::move(result_.tree);
        search(root_tensor(ensemble_, slices));
        if (result_.ended == Ended::optimal) return;
        const bool better =
            is_depth() ? first.depth() < result_.tree.depth() : first.leaves() < result_.tree.leaves();
        if (better && options_.objective != Objective::depth_leaves) result_.tree = first;
    }

    void search_points() {
        const std::optional<RootTensor> root = root_points(ensemble_, options_.supported_cells, box_);
        if (root) return search(*root);
        RootTensor known;
        known.known_cells = options_.supported_cells;
        result_.tree = make_tree([&] { return point_tree(known, ensemble_, box_); });
        result_.leaves_bound = 1;
        result_.ended = Ended::too_large;
    }

    void search(const RootTensor& root) {
        // The heuristic on rows: their tree of fewest leaves is soon found, or stopped.
        const Objective objective =
            options_.objective == Objective::heuristic ? Objective::leaves : options_.objective;
        RegionSearch search(root, ensemble_, objective, memo_);
        const std::uint64_t accepted = accepted_bound(root);
        Ended reason = Ended::stopped;
        const RegionBounds bounds = search.run(limits_.hooks, [&] {
            if (memo_.is_full() ||
                (limits_.memory_bytes != 0 && memo_.bytes() + memo_.growth_bytes() > limits_.memory_bytes))
                reason = Ended::out_of_memory;
            else if (accepted != 0 && lower(search.bounds()) >= accepted)
                reason = Ended::gap_accepted;
            else if (limits_.stop && limits_.stop())
                reason = Ended::stopped;
            else
                return false;
            return true;
        });
        const auto make = [&] {
            std::optional<CellTree> tree;
            if (bounds.solved) tree = search.tree(box_, limits_.hooks);
            if (tree) return std::move(*tree);
            if (!root.known_cells.empty()) return point_tree(root, ensemble_, box_);
            return heuristic_tree(root, ensemble_, {options_.objective, bounds.depth.upper, {}}, &memo_);
        };
        result_.tree = make_tree(make, [&] {
            if (bounds.solved) search.tree(box_, limits_.hooks);
        });
        // A deeper tree than the least is no candidate of the bound within the least depth.
        const bool least_depth = result_.tree.depth() <= bounds.depth.upper;
        const StateBounds& leaves = least_depth ? bounds.leaves : bounds.all_leaves;
        result_.depth_bound = std::max<std::uint64_t>(result_.depth_bound, bounds.depth.lower);
        result_.leaves_bound = std::max<std::uint64_t>(result_.leaves_bound, leaves.lower);
        const std::uint64_t value = is_depth() ? result_.tree.depth() : result_.tree.leaves();
        if (search.out_of_memory()) reason = Ended::out_of_memory;
        if (accepted != 0 && lower(bounds) >= accepted) reason = Ended::gap_accepted;
        result_.ended = bounds.solved && value == lower(bounds) ? Ended::optimal : reason;
        result_.figures.states = search.expanded();
        result_.figures.memo_entries = memo_.size();
        result_.figures.memo_bytes = memo_.bytes();
        result_.figures.log10_filtered_cells = std::log10(static_cast<double>(root.tensor.cells));
    }

    std::uint64_t lower(const RegionBounds& bounds) const {
        return is_depth() ? bounds.depth.lower : bounds.leaves.lower;
    }

    /// The lower bound from which on the heuristic's tree is good enough; zero when no gap is accepted.
    std::uint64_t accepted_bound(const RootTensor& root) const {
        if (options_.accept_gap <= 0 || options_.objective == Objective::depth_leaves) return 0;
        const CellTree tree = root.known_cells.empty() ? heuristic_tree(root, ensemble_, {options_.objective, 0, {}})
                                                       : point_tree(root, ensemble_, box_);
        const double value = is_depth() ? tree.depth() : tree.leaves();
        return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(value * (1 - options_.accept_gap))));
    }

    const cellspace::CompiledEnsemble& ensemble_;
    const RebornOptions& options_;
    const RebornLimits& limits_;
    cellspace::Box box_;
    Memo own_memo_;
    Memo& memo_;
    RebornResult result_;
};

}  // namespace

RebornResult reborn(const cellspace::CompiledEnsemble& ensemble, const cellspace::Space& space,
                    const RebornOptions& options, const RebornLimits& limits) {
    return Reborn(ensemble, space, options, limits).run();
}

}  // namespace regrove::bornagain
