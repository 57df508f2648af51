// The path as people read it: one line for each alpha at which trees shrink, over all trees of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "regrove/prune/cost_complexity.hpp"

namespace regrove::prune {

/// What is left of all trees at `alpha`.
struct PathLevel {
    double alpha = 0;          ///< the largest of the level's steps: pruning at it gives this level
    std::uint64_t leaves = 0;  ///< of all trees
    double impurity = 0;       ///< mean over the trees
    std::uint64_t cuts = 0;    ///< steps of this level, over all trees
};

/// Level 0 is the whole model at alpha 0. Steps whose alphas agree to 1e-9 of them share a level. O(steps log steps).
std::vector<PathLevel> path_levels(const std::vector<CostComplexityPath>& paths);

/// For each level an alpha from within it, where refits on parts of the rows are judged: the geometric mean of its alpha
/// and the next level's (Breiman et al. 1984, section 3.4.2); 0 for level 0; infinity for the last of several.
std::vector<double> candidate_alphas(const std::vector<PathLevel>& levels);

}  // namespace regrove::prune
