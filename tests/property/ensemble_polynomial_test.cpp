// Random ensembles against brute force: the polynomial has the ensemble's score at every cell, exactly.
#include "regrove/algebra/ensemble_polynomial.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "regrove/algebra/fixed_point.hpp"

#include "support/score_ensemble.hpp"

namespace regrove::algebra {
namespace {

std::vector<double> rounded_scores(const Polynomial& polynomial, const std::vector<double>& cells) {
    std::vector<double> scores;
    for (const Int128 number : scores_at(polynomial, cells))
        scores.push_back(to_double(number, polynomial.unit_exponent));
    return scores;
}

void expect_equal_everywhere(const model::Ensemble& ensemble, const PolynomialOptions& options) {
    const Polynomial polynomial = to_polynomial(ensemble, options);
    for (const auto& cells : test::all_cells())
        ASSERT_EQ(rounded_scores(polynomial, cells), test::plain_scores(ensemble, cells))
            << cells[0] << ' ' << cells[1] << ' ' << cells[2] << ' ' << cells[3];
}

test::ScoreEnsembleShape shape_of(std::uint64_t seed) {
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.depth = 1 + static_cast<unsigned>(seed % 5);
    shape.surrogates = shape.depth < 4;
    return shape;
}

TEST(EnsemblePolynomial, EqualsTheEnsembleAtEveryCell) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        test::ScoreEnsembleShape shape = shape_of(seed);
        shape.leaves = seed % 2 == 0 ? test::LeafNumbers::doubles : test::LeafNumbers::floats;
        expect_equal_everywhere(test::score_ensemble(shape), {});
    }
}

TEST(EnsemblePolynomial, EqualsVectorLeavesAndSeveralScores) {
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
        SCOPED_TRACE(seed);
        test::ScoreEnsembleShape shape = shape_of(seed);
        shape.classes = 3;
        shape.one_score_a_tree = seed % 2 == 0;
        expect_equal_everywhere(test::score_ensemble(shape), {});
    }
}

/// Sets of categories as conditions of their own: exact, though not unique.
TEST(EnsemblePolynomial, EqualsWithLargeSetsLeftWhole) {
    for (std::uint64_t seed = 200; seed < 220; ++seed) {
        SCOPED_TRACE(seed);
        PolynomialOptions options;
        options.max_set = static_cast<std::uint32_t>(seed % 2);
        expect_equal_everywhere(test::score_ensemble(shape_of(seed)), options);
    }
}

/// The order of the trees, and cutting them into ranges, changes nothing.
TEST(EnsemblePolynomial, IsTheSameForAnyOrderOfTrees) {
    test::ScoreEnsembleShape shape = shape_of(7);
    shape.trees = 9;
    model::Ensemble ensemble = test::score_ensemble(shape);
    const Polynomial polynomial = to_polynomial(ensemble, {});
    const PolynomialPlan plan = plan_polynomial(ensemble, {});
    Polynomial parts = trees_polynomial(ensemble, plan, 0, 4, {});
    const Polynomial rest = trees_polynomial(ensemble, plan, 4, 9, {});
    for (std::size_t m = 0; m < rest.size(); ++m) parts.push_back(rest.monomial(m), rest.coefficient(m));
    EXPECT_EQ(normalised(parts), polynomial);
    std::ranges::reverse(ensemble.trees);
    EXPECT_EQ(to_polynomial(ensemble, {}), polynomial);
}

/// A model minus itself is zero, however its doubles round.
TEST(EnsemblePolynomial, CancelsToNothing) {
    test::ScoreEnsembleShape shape = shape_of(8);
    shape.trees = 6;
    model::Ensemble ensemble = test::score_ensemble(shape);
    const model::Ensemble once = ensemble;
    for (model::Tree tree : once.trees) {
        for (model::Node& node : tree.nodes)
            for (double& value : node.value) value = -value;
        ensemble.trees.push_back(tree);
    }
    ensemble.initial_scores[0] = 0;
    EXPECT_EQ(to_polynomial(ensemble, {}).size(), 0U);
}

/// Means and votes: the sum before the trees' total weight is taken off.
TEST(EnsemblePolynomial, KeepsWhatMeansAreDividedBy) {
    test::RandomEnsembleShape shape;
    shape.seed = 3;
    shape.trees = 5;
    shape.combination = model::Combination::majority;
    const model::Ensemble ensemble = test::random_ensemble(shape);
    const Polynomial polynomial = to_polynomial(ensemble, {});
    EXPECT_EQ(polynomial.divisor, 5);
    for (const auto& cells : test::all_cells()) {
        std::vector<double> votes(2, 0);
        infer::PathFlags flags;
        for (const model::Tree& tree : ensemble.trees) {
            const auto& value = tree.node(infer::leaf_of(tree, cells, flags)).value;
            votes[value[1] > value[0] ? 1 : 0] += 1;
        }
        ASSERT_EQ(rounded_scores(polynomial, cells), votes);
    }
}

}  // namespace
}  // namespace regrove::algebra
