// Shapley values of a row's features when a question about an unknown feature is answered by chance, as often either
// way as in training: path-dependent TreeSHAP.
//
// The game: with the features S known, a row walks each tree; at a question about a feature of S it goes where it
// would go, else it goes both ways with the children's covers as chances. The score of S is the mean of what the
// walks end at.
//
// How: along one path the features multiply, each with 1 or 0 when known (whether the row meets all of its questions
// there) and with the product of its covers' shares when not. The Shapley value of such a product is an integral over
// t in [0, 1] of products of t * known + (1 - t) * unknown, a polynomial that Gauss-Legendre points integrate
// exactly: half as many points as there are features on a path. All terms are positive until the last step, so
// nothing cancels. Each tree is passed once down and once up for four points at a time: O(nodes * depth / 8) a row.
// Sources of the game: Lundberg, Erion and Lee 2018, "Consistent individualized feature attribution for tree
// ensembles"; of the integral: Owen 1972, "Multilinear extensions of games"; of the single pass: Yu, Xu, Wang and Li
// 2022, "Linear TreeShap".
#pragma once

#include <vector>

#include "regrove/algebra/shap_values.hpp"
#include "regrove/algebra/tree_covers.hpp"

namespace regrove::algebra {

class PathTree;

class PathShap : public ShapValues {
  public:
    /// Where no cover reached a question, an unknown feature there goes either way with chance 1/2. Throws
    /// ConfigError for scores that are not additive.
    PathShap(const model::Ensemble& ensemble, const TreeCovers& covers);
    ~PathShap() override;

    /// Throws InputError naming the row when it lacks a value for which a question has surrogates: then the row's way
    /// depends on other features, and the game does not say on which of them.
    void explain(std::span<const double> cells, std::uint64_t first_row, std::span<double> phi) const override;

  private:
    std::vector<PathTree> trees_;
};

}  // namespace regrove::algebra
