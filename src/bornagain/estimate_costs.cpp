// Measured on the sixty forests of the BA-Trees experiments (10 trees of depth 3), one thread of a busy machine with two
// cores, unoptimised code around optimised kernels: of those solved within 15 s the logarithms of states and seconds
// were fitted by least squares to that of the root's bound on leaves B. Spread around the lines (standard deviation, in
// powers of ten): states 0.56 (depth), 0.27 (leaves), 0.38 (depth-leaves); seconds 0.42, 0.32, and depth-leaves took
// about the sum of depth's and half of leaves'. The cells of the grid said less than B, and beside B nothing. Memo and
// stacks took 55 to 137 bytes a state where there were more than 20,000.
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

constexpr PowerLaw k_depth_states{-1.87, 2.38};
constexpr PowerLaw k_leaves_states{-1.73, 2.12};
constexpr PowerLaw k_depth_leaves_states{-1.30, 2.34};
constexpr PowerLaw k_depth_seconds{-5.17, 1.85};
constexpr PowerLaw k_leaves_seconds{-6.33, 2.50};

}  // namespace

void expect_costs(Estimate& estimate, double log10_grid_cells, std::uint32_t classes) {
    double bound = static_cast<double>(estimate.leaves.lower);
    if (estimate.leaves.upper)
        bound = std::max(bound, k_bound_by_upper * static_cast<double>(*estimate.leaves.upper));
    const double cells = PowerLaw{log10_grid_cells, 0}.at(1);
    std::uint32_t planes = 1;
    while ((1U << planes) < classes) ++planes;
    const auto cost = [&](const PowerLaw& states, double seconds) {
        ExpectedCost made;
        made.states = states.at(bound);
        made.memory_bytes = k_least_memory + k_bytes_a_state * made.states + k_grid_copies * planes * cells / 8;
        made.seconds = seconds + k_seconds_a_cell * static_cast<double>(estimate.trees) * cells;
        return made;
    };
    const double depth_seconds = k_depth_seconds.at(bound);
    const double leaves_seconds = k_leaves_seconds.at(bound);
    estimate.depth_search = cost(k_depth_states, depth_seconds);
    estimate.leaves_search = cost(k_leaves_states, leaves_seconds);
    estimate.depth_leaves_search = cost(k_depth_leaves_states, depth_seconds + leaves_seconds / 2);
}

}  // namespace regrove::bornagain
