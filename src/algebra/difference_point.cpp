// Baseline values everywhere, but for the features of the chosen monomial.
#include "difference_point.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "regrove/infer/binding.hpp"

namespace regrove::algebra {

namespace {

using model::Feature;
using model::FeatureKind;

/// A monomial is smaller than another when each of its conditions follows from the other's; in order of length, then of
/// ids (a feature's borders rise with them), every smaller one comes before.
std::size_t least_monomial(const Polynomial& polynomial) {
    std::size_t least = 0;
    for (std::size_t m = 1; m < polynomial.size(); ++m)
        if (polynomial.monomial(m).size() < polynomial.monomial(least).size()) least = m;
    return least;
}

/// A number above `border` but not above the next border of the feature.
double above(const Polynomial& polynomial, ConditionId id) {
    const Condition& condition = polynomial.conditions[id];
    const bool narrow =
        polynomial.frame.features[index(condition.feature)].precision == model::NumericPrecision::float32;
    const auto rounded = [&](double value) {
        return narrow ? static_cast<double>(static_cast<float>(value)) : value;
    };
    double highest = std::numeric_limits<double>::infinity();
    if (id + 1 < polynomial.conditions.size()) {
        const Condition& next = polynomial.conditions[id + 1];
        if (next.feature == condition.feature && next.kind == ConditionKind::above) highest = next.border;
    }
    const double border = condition.border;
    const double middle = rounded(std::isinf(highest) ? border + 1 : border + (highest - border) / 2);
    if (middle > border && middle <= highest) return middle;
    const double up = std::numeric_limits<double>::infinity();
    return narrow ? std::nextafter(static_cast<float>(border), std::numeric_limits<float>::infinity())
                  : std::nextafter(border, up);
}

/// Where none of the feature's conditions holds.
double baseline(const Feature& feature, const std::optional<double>& lowest_border, bool with_unknown) {
    if (feature.kind == FeatureKind::numeric) return lowest_border.value_or(0);
    if (with_unknown || feature.categories.empty()) return infer::k_unknown_category;
    return static_cast<double>(feature.categories.size() - 1);
}

}  // namespace

std::vector<double> nonzero_point(const Polynomial& polynomial, bool with_unknown) {
    const std::vector<Feature>& features = polynomial.frame.features;
    std::vector<std::optional<double>> lowest(features.size());
    for (const Condition& condition : polynomial.conditions.all())
        if (condition.kind == ConditionKind::above && !lowest[index(condition.feature)])
            lowest[index(condition.feature)] = condition.border;
    std::vector<double> cells;
    for (std::size_t f = 0; f < features.size(); ++f) cells.push_back(baseline(features[f], lowest[f], with_unknown));
    for (const ConditionId id : polynomial.monomial(least_monomial(polynomial))) {
        const Condition& condition = polynomial.conditions[id];
        double& cell = cells[index(condition.feature)];
        if (condition.kind == ConditionKind::above) cell = above(polynomial, id);
        if (condition.kind == ConditionKind::equals) cell = condition.category;
        if (condition.kind == ConditionKind::missing) cell = std::numeric_limits<double>::quiet_NaN();
    }
    return cells;
}

}  // namespace regrove::algebra
