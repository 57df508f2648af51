#include "regrove/bornagain/estimate.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "regrove/bornagain/heuristic.hpp"

#include "estimate_costs.hpp"
#include "estimate_sizes.hpp"
#include "root_tensor.hpp"
#include "sampled_bounds.hpp"

namespace regrove::bornagain {

namespace {

/// Grids up to here are looked at cell by cell, which takes a second or two at most.
constexpr double k_most_seen_log10_cells = 7.0;
/// The exact search takes grids up to here: of all hyperplanes, or of those that the heuristic's tree asks for.
constexpr double k_most_grid_log10_cells = 7.5;
/// Shares of the time: when the bounds end, and the heuristic for leaves; the rest is for the one for depth.
constexpr double k_bounds_end = 0.35;
constexpr double k_leaves_end = 0.75;
/// From here on a tree is nothing to read.
constexpr std::uint64_t k_readable_leaves = 1000;

class Estimator {
  public:
    Estimator(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box, const EstimateOptions& options)
        : ensemble_(ensemble), box_(box), options_(options) {}

    Estimate run() {
        count();
        if (fits_tensor(all_slices(box_), k_most_seen_log10_cells)) look_at_all_cells();
        bound_below();
        bound_above(Objective::leaves, k_leaves_end);
        bound_above(Objective::depth, 1);
        const SliceMap grid = all_slices(box_);
        if (!searched_ || log10_cells(grid) < log10_cells(*searched_)) searched_ = grid;
        made_.fits_exact_search = fits_tensor(*searched_, k_most_grid_log10_cells);
        if (made_.fits_exact_search) expect_costs(made_, log10_cells(*searched_), ensemble_.classes());
        advise();
        return std::move(made_);
    }

  private:
    std::function<bool()> over_at(double share) const {
        return [this, share] { return options_.elapsed && options_.elapsed() >= share * options_.seconds; };
    }

    void count() {
        made_.trees = ensemble_.trees().size();
        for (const auto& tree : ensemble_.trees()) {
            made_.tree_leaves += leaf_count(tree);
            made_.depth_sum += depth_in_hyperplanes(tree, box_);
        }
        for (std::size_t axis = 0; axis < box_.low.size(); ++axis)
            made_.hyperplanes += box_.high[axis] - box_.low[axis];
        made_.log10_cells = log10_cells(all_slices(box_));
        made_.depth.upper = made_.depth_sum;
    }

    void look_at_all_cells() {
        const RootTensor root = root_tensor(ensemble_, box_);
        made_.all_cells_seen = true;
        made_.relevant_hyperplanes = root.classes == 1 ? 0 : root.tensor.shape.hyperplanes();
        made_.log10_filtered_cells = log10_cells(root.map);
    }

    void bound_below() {
        SampledBoundsOptions options;
        options.samples = options_.samples;
        options.seed = options_.seed;
        const auto stop = over_at(k_bounds_end);
        const SampledBounds bounds = sampled_bounds(ensemble_, box_, options, stop);
        made_.ended_early = stop();
        made_.relevant_hyperplanes = std::max(made_.relevant_hyperplanes, bounds.relevant_hyperplanes);
        made_.leaves.lower = std::max(bounds.leaves, made_.relevant_hyperplanes + 1);
        made_.depth.lower =
            std::max<std::uint64_t>(bounds.depth, static_cast<std::uint64_t>(std::bit_width(made_.leaves.lower - 1)));
    }

    void bound_above(Objective objective, double share) {
        HeuristicOptions options;
        options.objective = objective;
        options.samples = options_.samples;
        options.seed = options_.seed;
        HeuristicLimits limits;
        limits.memory_bytes = options_.memory_bytes;
        limits.ends = over_at(share);
        const HeuristicResult found = heuristic_tree(ensemble_, box_, options, limits);
        if (!found.tree) {
            made_.ended_early = true;
            return;
        }
        const SliceMap used = slices_of(*found.tree, box_);
        if (!searched_ || log10_cells(used) < log10_cells(*searched_)) searched_ = used;
        lower(made_.leaves.upper, found.tree->leaves());
        lower(made_.depth.upper, found.tree->depth());
    }

    static void lower(std::optional<std::uint64_t>& bound, std::uint64_t value) {
        bound = bound ? std::min(*bound, value) : value;
    }

    void advise() {
        const std::size_t half = ensemble_.trees().size() / 2;
        if (half > 0)
            made_.advice.push_back(fmt::format(
                "fewer trees: the first {} cut the space into 10^{:.1f} cells, all {} into "
                "10^{:.1f}",
                half, log10_cells_of(ensemble_, half, box_), ensemble_.trees().size(), made_.log10_cells));
        if (made_.all_cells_seen && made_.relevant_hyperplanes < made_.hyperplanes)
            made_.advice.push_back(fmt::format("{} of {} hyperplanes never change a class: only the others count",
                                               made_.hyperplanes - made_.relevant_hyperplanes, made_.hyperplanes));
        if (!made_.fits_exact_search)
            made_.advice.push_back(
                fmt::format("the exact search takes at most 10^{:.1f} cells: here the heuristic finds a tree, if any",
                            k_most_grid_log10_cells));
        if (made_.leaves.lower > k_readable_leaves || !made_.fits_exact_search)
            made_.advice.push_back(
                "pruned monomials: leave out what hardly moves the ensemble's answer first, and hyperplanes go with "
                "it");
        if (made_.leaves.lower > k_readable_leaves)
            made_.advice.push_back(
                fmt::format("every tree that decides alike everywhere has at least {} leaves; ask only "
                            "where data can be: --support range, or --support rows",
                            made_.leaves.lower));
    }

    const cellspace::CompiledEnsemble& ensemble_;
    const cellspace::Box& box_;
    const EstimateOptions& options_;
    std::optional<SliceMap> searched_;  ///< the smallest grid known that an exact search could run on
    Estimate made_;
};

}  // namespace

Estimate estimate(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                  const EstimateOptions& options) {
    return Estimator(ensemble, box, options).run();
}

}  // namespace regrove::bornagain
