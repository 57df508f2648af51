// Values, levels and bounds of monomials.
#include "regrove/algebra/monomial_pruning.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/exact_sum.hpp"

namespace regrove::algebra {

namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

double squared_length(std::vector<double> weight, model::Link link) {
    if (link == model::Link::softmax) {
        double mean = 0;
        for (const double w : weight) mean += w;
        mean /= static_cast<double>(weight.size());
        for (double& w : weight) w -= mean;
    }
    double sum = 0;
    for (const double w : weight) sum += w * w;
    return sum;
}

/// Of all but the constant, falling.
std::vector<double> sorted_values(std::span<const double> values) {
    std::vector<double> sorted;
    for (const double value : values)
        if (value < k_infinity) sorted.push_back(value);
    std::ranges::sort(sorted, std::greater<>{});
    return sorted;
}

/// Of the first `kept` of sorted values; shares of what is left behind them.
PruningLevel level_keeping(const std::vector<double>& sorted, std::size_t kept) {
    PruningLevel level;
    level.kept = kept;
    level.alpha = kept == 0 ? k_infinity : sorted[kept - 1];
    ExactSum dropped;
    ExactSum all;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        all.add(sorted[i]);
        if (i >= kept) dropped.add(sorted[i]);
    }
    level.dropped_share = all.value() > 0 ? dropped.value() / all.value() : 0;
    return level;
}

/// The number of values that are at least as large as the one at `kept - 1`.
std::size_t with_equals(const std::vector<double>& sorted, std::size_t kept) {
    while (kept > 0 && kept < sorted.size() && sorted[kept] == sorted[kept - 1]) ++kept;
    return kept;
}

}  // namespace

std::vector<double> monomial_values(const Polynomial& polynomial, std::span<const std::uint64_t> counts,
                                    std::uint64_t rows) {
    std::vector<double> values(polynomial.size(), k_infinity);
    for (std::size_t m = 0; m < values.size(); ++m) {
        if (polynomial.is_constant(m)) continue;
        std::vector<double> weight;
        for (const Int128 number : polynomial.coefficient(m))
            weight.push_back(to_double(number, polynomial.unit_exponent) / polynomial.divisor);
        const double share = rows == 0 ? 0 : static_cast<double>(counts[m]) / static_cast<double>(rows);
        values[m] = squared_length(std::move(weight), polynomial.frame.link) * share;
    }
    return values;
}

std::vector<PruningLevel> pruning_levels(std::span<const double> values, std::uint32_t count) {
    const std::vector<double> sorted = sorted_values(values);
    const auto zeros = std::ranges::lower_bound(sorted, 0.0, std::greater<>{});
    const auto all = static_cast<std::size_t>(zeros - sorted.begin());
    std::vector<PruningLevel> levels;
    for (std::uint32_t step = 0; step <= count; ++step) {
        const std::size_t kept = with_equals(sorted, all - all * step / count);
        if (levels.empty() || kept < levels.back().kept) levels.push_back(level_keeping(sorted, kept));
    }
    return levels;
}

PruningLevel level_of(std::span<const double> values, double alpha) {
    const std::vector<double> sorted = sorted_values(values);
    const auto kept = std::ranges::count_if(sorted, [alpha](double value) { return value >= alpha; });
    PruningLevel level = level_keeping(sorted, static_cast<std::size_t>(kept));
    level.alpha = alpha;
    return level;
}

PruningLevel level_keeping_at_most(std::span<const double> values, std::uint64_t count) {
    const std::vector<double> sorted = sorted_values(values);
    std::size_t kept = std::min<std::size_t>(sorted.size(), count);
    while (kept > 0 && kept < sorted.size() && sorted[kept] == sorted[kept - 1]) --kept;
    return level_keeping(sorted, kept);
}

std::size_t elbow(std::span<const PruningLevel> levels) {
    std::size_t best = 0;
    double farthest = -1;
    const double all = levels.empty() ? 0 : static_cast<double>(levels.front().kept);
    for (std::size_t i = 0; i < levels.size() && all > 0; ++i) {
        const double distance = 1 - static_cast<double>(levels[i].kept) / all - levels[i].dropped_share;
        if (distance <= farthest) continue;
        farthest = distance;
        best = i;
    }
    return best;
}

std::vector<std::uint8_t> kept_at(std::span<const double> values, double alpha) {
    std::vector<std::uint8_t> kept;
    for (const double value : values) kept.push_back(value >= alpha ? 1 : 0);
    return kept;
}

Polynomial with_coefficients(const Polynomial& polynomial, std::vector<Int128> coefficients) {
    Polynomial result = polynomial;
    result.coefficients = std::move(coefficients);
    std::vector<std::uint8_t> stays(polynomial.size(), 0);
    for (std::size_t m = 0; m < polynomial.size(); ++m)
        stays[m] = std::ranges::any_of(result.coefficient(m), [](Int128 number) { return number != 0; }) ? 1 : 0;
    return selected(result, stays);
}

}  // namespace regrove::algebra
