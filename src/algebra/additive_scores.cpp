// Node tables, and where each tree's numbers go.
#include "regrove/algebra/additive_scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regrove/core/error.hpp"

namespace regrove::algebra {

namespace {

std::vector<model::NodeTable> tables_of(const model::Ensemble& ensemble) {
    return ensemble.has_class_weights() ? model::class_tables(ensemble) : model::value_tables(ensemble);
}

double largest_leaf(const model::Tree& tree, const TreeScores& scores, std::size_t place) {
    double largest = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        if (tree.nodes[i].is_leaf()) largest = std::max(largest, std::abs(scores.values[i * scores.length + place]));
    return largest;
}

std::vector<std::string> score_names(const model::Ensemble& ensemble) {
    if (ensemble.scores() == 1) return {""};
    if (ensemble.classes.size() == ensemble.scores()) return ensemble.classes;
    std::vector<std::string> names;
    for (std::uint32_t k = 0; k < ensemble.scores(); ++k) names.push_back(std::to_string(k));
    return names;
}

}  // namespace

std::vector<double> AdditiveScores::largest(const model::Ensemble& ensemble) const {
    std::vector<double> sums(count());
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = std::abs(initial[k]);
    for (std::size_t t = 0; t < trees.size(); ++t)
        for (std::size_t place = 0; place < trees[t].length; ++place)
            sums[trees[t].first + place] += largest_leaf(ensemble.trees[t], trees[t], place);
    for (double& sum : sums) sum /= divisor;
    return sums;
}

AdditiveScores additive_scores(const model::Ensemble& ensemble) {
    const bool is_sum = ensemble.combination == model::Combination::sum;
    if (ensemble.combination == model::Combination::majority && ensemble.trees.size() > 1)
        throw ConfigError(
            "the model's trees vote, and a vote is no sum that could be shared out among features; allowed: models "
            "that "
            "sum scores, or average probabilities or values");
    AdditiveScores scores;
    scores.names = score_names(ensemble);
    scores.initial = is_sum ? ensemble.initial_scores : std::vector<double>(ensemble.scores(), 0.0);
    if (!is_sum && ensemble.trees.size() > 1) scores.divisor = ensemble.total_tree_weight();
    for (model::NodeTable& table : tables_of(ensemble)) {
        TreeScores tree;
        tree.values = std::move(table);
        tree.length = ensemble.value_length();
        if (!ensemble.tree_outputs.empty()) tree.first = ensemble.tree_outputs[scores.trees.size()];
        scores.trees.push_back(std::move(tree));
    }
    return scores;
}

}  // namespace regrove::algebra
