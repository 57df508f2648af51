// Measured on the forests of the BA-Trees experiments (10 trees of depth 3) that were solved within 25 s (42 for
// depth, 48, 47), one thread, optimised code, seconds of processor time: the logarithms of states and seconds were
// fitted by least squares to that of B, the bound on leaves as it is taken below. Spread around the lines (standard
// deviation, in powers of ten): states 0.46 (depth), 0.29 (leaves), 0.41 (depth-leaves); seconds, of searches above
// 0.08 s, 0.17, 0.23 and 0.25. The largest B that was solved is 543, so that more is extrapolation. The memo took 55
// to 120 bytes a state where there were more than 5,000.
#include "estimate_costs.hpp"

#include <algorithm>

#include "regrove/core/portable_math.hpp"

namespace regrove::bornagain {

namespace {

constexpr double k_bytes_a_state = 100;
constexpr double k_least_memory = 2e6;
/// Laying out a grid: copies of its bits at a time, and seconds a cell.
constexpr double k_grid_copies = 4;
constexpr double k_seconds_a_cell = 5e-9;

/// The root's bound was about this part of the heuristic's leaves. Samples alone find less where trees are large.
constexpr double k_bound_by_upper = 0.75;

struct PowerLaw {
    double log10_factor;
    double exponent;
    double at(double x) const {
        constexpr double ln10 = 2.302585092994046;
        return portable::exp(log10_factor * ln10 + exponent * portable::log(x));
    }
};

constexpr PowerLaw k_depth_states{-1.70, 2.36};
constexpr PowerLaw k_leaves_states{-1.56, 2.10};
constexpr PowerLaw k_depth_leaves_states{-1.84, 2.73};
constexpr PowerLaw k_depth_seconds{-4.98, 1.79};
constexpr PowerLaw k_leaves_seconds{-5.81, 2.32};
constexpr PowerLaw k_depth_leaves_seconds{-4.62, 1.88};

}  // namespace

void expect_costs(Estimate& estimate, double log10_grid_cells, std::uint32_t classes) {
    double bound = static_cast<double>(estimate.leaves.lower);
    if (estimate.leaves.upper)
        bound = std::max(bound, k_bound_by_upper * static_cast<double>(*estimate.leaves.upper));
    const double cells = PowerLaw{log10_grid_cells, 0}.at(1);
    std::uint32_t planes = 1;
    while ((1U << planes) < classes) ++planes;
    const auto cost = [&](const PowerLaw& states, const PowerLaw& seconds) {
        ExpectedCost made;
        made.states = states.at(bound);
        made.memory_bytes = k_least_memory + k_bytes_a_state * made.states + k_grid_copies * planes * cells / 8;
        made.seconds = seconds.at(bound) + k_seconds_a_cell * static_cast<double>(estimate.trees) * cells;
        return made;
    };
    estimate.depth_search = cost(k_depth_states, k_depth_seconds);
    estimate.leaves_search = cost(k_leaves_states, k_leaves_seconds);
    estimate.depth_leaves_search = cost(k_depth_leaves_states, k_depth_leaves_seconds);
}

}  // namespace regrove::bornagain
