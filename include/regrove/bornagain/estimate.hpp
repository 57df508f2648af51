// What finding a born-again tree will take, before it is tried: sizes, proven bounds, and figures from experience.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "regrove/cellspace/compiled_ensemble.hpp"

namespace regrove::bornagain {

struct EstimateOptions {
    std::uint32_t samples = 1000;  ///< of the bounds and the heuristic
    std::uint64_t seed = 0;
    double seconds = 25;  ///< for all of it
    /// Seconds since the estimate began. Without it there is no time box, and the result is the same every time.
    std::function<double()> elapsed;
    std::uint64_t memory_bytes = std::uint64_t{1} << 30U;  ///< of the heuristic; zero: no limit
};

/// From experience with small forests: within a factor of three or so there, for much larger trees a mere extrapolation.
struct ExpectedCost {
    double states = 0;
    double memory_bytes = 0;
    double seconds = 0;
};

/// Bounds on a size of the best faithful tree. No `upper`: none was found in time.
struct SizeBounds {
    std::uint64_t lower = 0;
    std::optional<std::uint64_t> upper;
};

struct Estimate {
    std::uint64_t trees = 0;
    std::uint64_t tree_leaves = 0;  ///< of all trees
    std::uint64_t depth_sum = 0;    ///< of the trees' depths in hyperplanes: no optimal tree is deeper (theorem 2)
    std::uint64_t hyperplanes = 0;
    double log10_cells = 0;
    /// Hyperplanes across which some class changes: all of them if `all_cells_seen`, else those seen in samples.
    std::uint64_t relevant_hyperplanes = 0;
    bool all_cells_seen = false;
    std::optional<double> log10_filtered_cells;  ///< without the other hyperplanes; only if `all_cells_seen`
    SizeBounds depth;
    SizeBounds leaves;
    /// The grid of all hyperplanes is small enough, or that of those which a heuristic tree asks for.
    bool fits_exact_search = false;
    ExpectedCost depth_search;  ///< of the exact search, one thread; zeros when it does not fit
    ExpectedCost leaves_search;
    ExpectedCost depth_leaves_search;
    bool ended_early = false;         ///< the time or memory was over first; the bounds are proven all the same
    std::vector<std::string> advice;  ///< one sentence a line: what would help
};

/// For all cells of the box. The time is looked at between small steps.
Estimate estimate(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                  const EstimateOptions& options);

}  // namespace regrove::bornagain
