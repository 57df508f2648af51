// Example values go the way that a table's cells go through Binding.
#include "regrove/pipeline/space_point.hpp"

#include <algorithm>
#include <limits>

#include "regrove/core/number_text.hpp"
#include "regrove/infer/binding.hpp"
#include "regrove/infer/route.hpp"
#include "regrove/model/class_rule.hpp"

namespace regrove::pipeline {

namespace {

double value_for(const model::Feature& feature, const cellspace::Axis& axis, std::uint32_t cell) {
    if (axis.has_missing && cell == axis.missing_cell()) return std::numeric_limits<double>::quiet_NaN();
    if (axis.has_unknown && cell == axis.unknown_cell()) return infer::k_unknown_category;
    const std::string text = cellspace::example_text(axis, cell);
    if (feature.kind == model::FeatureKind::numeric) {
        const double value = parse_double(text).value;
        return feature.precision == model::NumericPrecision::float32 ? static_cast<float>(value) : value;
    }
    const auto found = std::ranges::find(feature.categories, text);
    if (found == feature.categories.end()) return infer::k_unknown_category;
    return static_cast<double>(found - feature.categories.begin());
}

}  // namespace

std::vector<PointValue> point_of(const cellspace::Space& space, std::span<const std::uint32_t> cell) {
    std::vector<PointValue> point;
    for (std::size_t a = 0; a < space.axes.size(); ++a)
        point.push_back({space.axes[a].name, cellspace::example_text(space.axes[a], cell[a])});
    return point;
}

std::uint32_t predicted_class(const model::Ensemble& ensemble, const cellspace::Space& space,
                              std::span<const std::uint32_t> cell) {
    std::vector<double> values(ensemble.features.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t a = 0; a < space.axes.size(); ++a) {
        const auto found = std::ranges::find(ensemble.features, space.axes[a].name, &model::Feature::name);
        if (found == ensemble.features.end()) continue;
        values[static_cast<std::size_t>(found - ensemble.features.begin())] =
            value_for(*found, space.axes[a], cell[a]);
    }
    std::vector<NodeId> leaves;
    infer::PathFlags flags;
    for (const model::Tree& tree : ensemble.trees) leaves.push_back(infer::leaf_of(tree, values, flags));
    return model::ClassRule(ensemble).decide(leaves);
}

}  // namespace regrove::pipeline
