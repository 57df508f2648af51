// All trees' steps in one order of alpha, then grouped.
#include "regrove/prune/path_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regrove::prune {
namespace {

constexpr double k_same_alpha = 1e-9;  ///< relative

/// A step with what it changes.
struct Change {
    double alpha = 0;
    std::uint32_t leaves_saved = 0;
    double impurity_added = 0;
};

void append_changes(const CostComplexityPath& path, std::vector<Change>& changes) {
    std::uint32_t leaves = path.leaves;
    double impurity = path.impurity;
    double alpha = 0;
    for (const PathStep& step : path.steps) {
        alpha = std::max(alpha, step.alpha);  // a step is not taken before those ahead of it
        changes.push_back({alpha, leaves - step.leaves, step.impurity - impurity});
        leaves = step.leaves;
        impurity = step.impurity;
    }
}

}  // namespace

std::vector<PathLevel> path_levels(const std::vector<CostComplexityPath>& paths) {
    std::vector<Change> changes;
    PathLevel level;
    for (const CostComplexityPath& path : paths) {
        append_changes(path, changes);
        level.leaves += path.leaves;
        level.impurity += path.impurity;
    }
    std::ranges::stable_sort(changes, {}, &Change::alpha);
    const auto trees = static_cast<double>(paths.size());
    double total_impurity = level.impurity;
    level.impurity /= trees;
    std::vector<PathLevel> levels{level};
    double first_alpha = 0;
    for (const Change& change : changes) {
        if (levels.size() == 1 || change.alpha > first_alpha * (1 + k_same_alpha)) {
            levels.push_back(levels.back());
            levels.back().cuts = 0;
            first_alpha = change.alpha;
        }
        PathLevel& last = levels.back();
        last.alpha = change.alpha;
        last.leaves -= change.leaves_saved;
        total_impurity += change.impurity_added;
        last.impurity = total_impurity / trees;
        ++last.cuts;
    }
    return levels;
}

std::vector<double> candidate_alphas(const std::vector<PathLevel>& levels) {
    std::vector<double> candidates{0};
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const double own = levels[i].alpha;
        if (i + 1 == levels.size())
            candidates.push_back(std::numeric_limits<double>::infinity());
        else if (own > 0)
            candidates.push_back(std::sqrt(own) * std::sqrt(levels[i + 1].alpha));
        else
            candidates.push_back(levels[i + 1].alpha / 2);  // cuts that cost nothing: any alpha above zero takes them
    }
    return candidates;
}

}  // namespace regrove::prune
