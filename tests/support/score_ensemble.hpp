// Random ensembles that sum scores, and every cell of the space that their questions cut.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "regrove/core/exact_sum.hpp"
#include "regrove/core/random.hpp"
#include "regrove/infer/route.hpp"
#include "regrove/model/ensemble_builder.hpp"

#include "support/random_ensemble.hpp"

namespace regrove::test {

/// How the leaves of a summing ensemble are drawn.
enum class LeafNumbers : std::uint8_t { floats, doubles, quarters };

struct ScoreEnsembleShape {
    std::uint64_t seed = 0;
    std::size_t trees = 4;
    unsigned depth = 4;
    std::uint32_t classes = 2;  ///< 2: one score with the logistic link; more: softmax
    bool one_score_a_tree = false;
    bool surrogates = true;
    LeafNumbers leaves = LeafNumbers::doubles;
};

inline double leaf_number(const CounterRandom& random, std::uint64_t at, LeafNumbers leaves) {
    const double drawn = random.normal(at);
    if (leaves == LeafNumbers::quarters) return std::round(drawn * 4) / 4;
    return leaves == LeafNumbers::floats ? static_cast<float>(drawn) : drawn;
}

inline model::Ensemble score_ensemble(const ScoreEnsembleShape& shape) {
    RandomEnsembleShape base;
    base.seed = shape.seed;
    base.trees = shape.trees;
    base.depth = shape.depth;
    base.classes = shape.classes;
    base.surrogates = shape.surrogates;
    model::Ensemble ensemble = random_ensemble(base);
    const CounterRandom random(shape.seed, 78);
    std::uint64_t next = 0;
    ensemble.combination = model::Combination::sum;
    ensemble.link = shape.classes == 2 ? model::Link::logistic : model::Link::softmax;
    for (std::uint32_t k = 0; k < ensemble.scores(); ++k)
        ensemble.initial_scores.push_back(leaf_number(random, next++, shape.leaves));
    if (shape.one_score_a_tree)
        for (std::uint32_t t = 0; t < shape.trees; ++t) ensemble.tree_outputs.push_back(t % ensemble.scores());
    for (model::Tree& tree : ensemble.trees)
        for (model::Node& node : tree.nodes) {
            node.value.resize(ensemble.value_length());
            for (double& value : node.value) value = leaf_number(random, next++, shape.leaves);
        }
    model::validate(ensemble);
    return ensemble;
}

/// Cells of the four features of random_ensemble, one row for each combination of their values, missing and unknown
/// ones among them.
inline std::vector<std::vector<double>> all_cells() {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> numbers{-1.5, -1, 0.1, 0.2, 0.30000000000000004, 0.31, 7, 8, none};
    std::vector<std::vector<double>> rows;
    for (const double a : numbers)
        for (const double b : numbers)
            for (const double c : {-1.0, 0.0, 1.0, 2.0, 3.0, none})
                for (const double d : {-1.0, 0.0, 1.0, 2.0, none}) rows.push_back({a, static_cast<float>(b), c, d});
    return rows;
}

/// The exact sums of initial scores and leaves.
inline std::vector<ExactSum> exact_scores(const model::Ensemble& ensemble, const std::vector<double>& cells) {
    std::vector<ExactSum> sums(ensemble.scores());
    for (std::size_t k = 0; k < ensemble.initial_scores.size(); ++k) sums[k].add(ensemble.initial_scores[k]);
    infer::PathFlags flags;
    for (std::size_t t = 0; t < ensemble.trees.size(); ++t) {
        const auto& value = ensemble.trees[t].node(infer::leaf_of(ensemble.trees[t], cells, flags)).value;
        const std::size_t first = ensemble.tree_outputs.empty() ? 0 : ensemble.tree_outputs[t];
        for (std::size_t k = 0; k < value.size(); ++k) sums[first + k].add(value[k]);
    }
    return sums;
}

/// The same, each rounded once.
inline std::vector<double> plain_scores(const model::Ensemble& ensemble, const std::vector<double>& cells) {
    std::vector<double> scores;
    for (const ExactSum& sum : exact_scores(ensemble, cells)) scores.push_back(sum.value());
    return scores;
}

}  // namespace regrove::test
