// Weighted means and the two rules.
#include "regrove/prune/alpha_choice.hpp"

#include <algorithm>
#include <cmath>

namespace regrove::prune {

void ErrorSums::add(double w, double e) {
    weight += w;
    squared_weight += w * w;
    error += w * e;
    squared_weight_error += w * w * e;
    squared_weighted_error += w * e * (w * e);
}

void ErrorSums::merge(const ErrorSums& other) {
    weight += other.weight;
    squared_weight += other.squared_weight;
    error += other.error;
    squared_weight_error += other.squared_weight_error;
    squared_weighted_error += other.squared_weighted_error;
}

CandidateError finish(const ErrorSums& sums) {
    const double mean = sums.error / sums.weight;
    const double squares =
        sums.squared_weighted_error - 2 * mean * sums.squared_weight_error + mean * mean * sums.squared_weight;
    return {mean, std::sqrt(std::max(squares, 0.0)) / sums.weight};
}

std::size_t choose_candidate(std::span<const CandidateError> candidates, ChoiceRule rule) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i)
        if (candidates[i].mean <= candidates[best].mean) best = i;
    if (rule == ChoiceRule::minimum) return best;
    const double limit = candidates[best].mean + candidates[best].standard_error;
    for (std::size_t i = candidates.size(); i-- > best;)
        if (candidates[i].mean <= limit) return i;
    return best;
}

}  // namespace regrove::prune
