// Lower bounds on the leaves and the depth of every faithful tree of a box, from sampled cells: no grid is made, so any
// space will do.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "regrove/bornagain/reborn.hpp"

namespace regrove::bornagain {

struct SampledBoundsOptions {
    std::uint32_t samples = 1000;
    std::uint64_t seed = 0;
    std::uint32_t max_set = 2000;  ///< the fooling set ends at so many cells
};

struct SampledBounds {
    std::uint64_t leaves = 1;                ///< no faithful tree has fewer
    std::uint64_t depth = 0;                 ///< no faithful tree is shallower
    std::uint64_t relevant_hyperplanes = 0;  ///< across which a class was seen to change; there may be more
    /// The fooling set: axes numbers a cell. No two of them can share a leaf.
    std::vector<std::uint32_t> cells;
};

/// Both bounds are proven whenever it ends: `stop` cuts the work short, and the bounds are those of what was done.
SampledBounds sampled_bounds(const cellspace::CompiledEnsemble& ensemble, const cellspace::Box& box,
                             const SampledBoundsOptions& options, const std::function<bool()>& stop);

}  // namespace regrove::bornagain
