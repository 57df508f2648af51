// The trees of a model in the forms in which their leaves are found fastest.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "regrove/infer/fast_scores.hpp"
#include "regrove/model/ensemble.hpp"

#include "rank_table.hpp"
#include "score_kernels.hpp"

namespace regrove::infer {

enum class TreeForm : std::uint8_t {
    levels,   ///< asks one test a level: a leaf's number is what the levels say
    planes,   ///< sets of leaves, eight a byte
    steps,    ///< from node to node
    product,  ///< adds something only where a row of tests all say right: a monomial
};

/// One tree, in one of the forms.
struct ScoreStep {
    TreeForm form = TreeForm::levels;
    std::vector<RankTest> tests;  ///< levels: from the root; product: in its order
    LeafPlanes planes;
    std::vector<WalkNode> nodes;
    std::size_t deepest = 0;  ///< steps: questions on the longest path
    /// The first score that is added to, and what leaf i adds to it and those that follow: values[k][i]. A product has
    /// one leaf.
    std::uint32_t first_score = 0;
    std::vector<std::vector<double>> values;
};

/// In tree order, but that trees which add to other scores only may be passed. Throws nothing.
std::vector<ScoreStep> score_steps(const model::Ensemble& ensemble, const RankTable& ranks, const ScoreForms& forms);

}  // namespace regrove::infer
