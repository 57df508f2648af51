// Which features take part, and how much rounding may cost.
#include "regrove/algebra/shap_values.hpp"

#include <algorithm>
#include <utility>

namespace regrove::algebra {

namespace {

constexpr double k_half_ulp = 0x1p-53;

}  // namespace

AskedFeatures::AskedFeatures(const model::Ensemble& ensemble) : places(ensemble.features.size()) {
    std::vector<bool> is_asked(ensemble.features.size());
    for (const model::Tree& tree : ensemble.trees)
        for (const model::Node& node : tree.nodes) {
            if (node.is_leaf()) continue;
            is_asked[index(node.question.feature)] = true;
            for (const auto& surrogate : node.question.surrogates) is_asked[index(surrogate.feature)] = true;
        }
    for (std::uint32_t f = 0; f < is_asked.size(); ++f) {
        if (!is_asked[f]) continue;
        places[f] = static_cast<std::uint32_t>(features.size());
        features.push_back(FeatureId{f});
    }
}

ShapValues::ShapValues(const model::Ensemble& ensemble)
    : ensemble_(ensemble), scores_(additive_scores(ensemble)), asked_(ensemble) {}

void ShapValues::set_base(std::vector<double> base, std::size_t terms) {
    base_ = std::move(base);
    std::uint32_t depth = 0;
    std::size_t leaves = 0;
    for (const model::Tree& tree : ensemble_.trees) {
        depth = std::max(depth, tree.depth());
        leaves = std::max<std::size_t>(leaves, tree.leaf_count());
    }
    const double deep = depth + 1.0;
    // A tree's mean and its shares add up its leaves one after another.
    const double steps = static_cast<double>(ensemble_.trees.size() + terms + 2 * leaves) + 32 * deep * deep;
    bound_ = scores_.largest(ensemble_);
    for (double& bound : bound_) bound *= k_half_ulp * steps;
}

}  // namespace regrove::algebra
