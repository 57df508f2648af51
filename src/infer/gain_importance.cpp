// Sums in node and tree order, so that the bits are the same everywhere.
#include "regrove/infer/gain_importance.hpp"

namespace regrove::infer {

namespace {

/// Adds the tree's figures to `features` and returns its gain by feature.
std::vector<double> add_tree(const model::Tree& tree, bool whole_gains, std::vector<GainImportance>& features) {
    std::vector<double> gains(features.size());
    for (const model::Node& node : tree.nodes) {
        if (node.is_leaf()) continue;
        GainImportance& feature = features[index(node.question.feature)];
        ++feature.splits;
        feature.cover += node.weight;
        gains[index(node.question.feature)] += whole_gains ? node.gain : node.weight * node.gain;
    }
    return gains;
}

}  // namespace

std::vector<GainImportance> gain_importance(const model::Ensemble& ensemble) {
    const bool sums = ensemble.combination == model::Combination::sum;
    std::vector<GainImportance> features(ensemble.features.size());
    double shares = 0;
    for (std::size_t tree = 0; tree < ensemble.trees.size(); ++tree) {
        const std::vector<double> gains = add_tree(ensemble.trees[tree], sums, features);
        double sum = 0;
        for (const double gain : gains) sum += gain;
        for (std::size_t f = 0; f < features.size(); ++f) features[f].total_gain += gains[f];
        if (!(sum > 0)) continue;
        if (sums) {
            for (std::size_t f = 0; f < features.size(); ++f) features[f].importance += gains[f];
            shares += sum;
            continue;
        }
        const double weight = ensemble.tree_weights.empty() ? 1 : ensemble.tree_weights[tree];
        for (std::size_t f = 0; f < features.size(); ++f) features[f].importance += weight * (gains[f] / sum);
        shares += weight;
    }
    for (GainImportance& feature : features)
        if (shares > 0) feature.importance /= shares;
    return features;
}

}  // namespace regrove::infer
