// The thresholds of all trees, sorted, without repeats.
#include "regrove/infer/feature_grid.hpp"

#include <algorithm>
#include <cmath>

#include "regrove/core/check.hpp"

namespace regrove::infer {

namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

/// Calls visit(question or surrogate) for each about the feature.
template <class Visit>
void for_each_ask(const model::Ensemble& ensemble, FeatureId feature, Visit visit) {
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes) {
            if (node.is_leaf()) continue;
            if (node.question.feature == feature) visit(node.question);
            for (const model::Surrogate& surrogate : node.question.surrogates)
                if (surrogate.feature == feature) visit(surrogate);
        }
}

std::vector<double> borders(const model::Ensemble& ensemble, FeatureId feature) {
    std::vector<double> cuts;
    for_each_ask(ensemble, feature, [&](const auto& asked) {
        if (asked.kind == model::QuestionKind::threshold && std::isfinite(asked.threshold))
            cuts.push_back(asked.threshold);
    });
    std::ranges::sort(cuts);
    const auto repeats = std::ranges::unique(cuts);
    cuts.erase(repeats.begin(), repeats.end());
    return cuts;
}

bool misses_were_seen(const model::Ensemble& ensemble, FeatureId feature) {
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes)
            if (!node.is_leaf() && node.question.feature == feature && node.question.missing_seen) return true;
    return false;
}

/// The largest number of single precision that is not above.
double float_at_most(double value) {
    const auto narrow = static_cast<float>(value);
    return narrow <= value ? narrow : std::nextafter(narrow, -std::numeric_limits<float>::infinity());
}

/// All intervals that hold a number of the feature's precision.
std::vector<GridPoint> intervals(const std::vector<double>& cuts, model::NumericPrecision precision) {
    std::vector<GridPoint> all;
    for (std::size_t at = 0; at <= cuts.size(); ++at) {
        GridPoint point;
        if (at > 0) point.low = cuts[at - 1];
        if (at < cuts.size()) point.high = cuts[at];
        point.cell = precision == model::NumericPrecision::float32 ? float_at_most(point.high) : point.high;
        if (point.cell > point.low) all.push_back(point);
    }
    return all;
}

std::vector<GridPoint> thinned(const std::vector<GridPoint>& all, std::size_t most) {
    REGROVE_CHECK(most >= 2);
    if (all.size() <= most) return all;
    std::vector<GridPoint> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
    return some;
}

}  // namespace

std::vector<GridPoint> feature_grid(const model::Ensemble& ensemble, FeatureId feature, std::size_t most) {
    std::vector<GridPoint> grid;
    const model::Feature& asked = ensemble.features[index(feature)];
    if (asked.kind == model::FeatureKind::numeric)
        grid = thinned(intervals(borders(ensemble, feature), asked.precision), most);
    else
        for (std::size_t code = 0; code < asked.categories.size(); ++code)
            grid.push_back({GridKind::category, static_cast<double>(code)});
    if (misses_were_seen(ensemble, feature))
        grid.push_back({GridKind::missing, std::numeric_limits<double>::quiet_NaN()});
    return grid;
}

}  // namespace regrove::infer
