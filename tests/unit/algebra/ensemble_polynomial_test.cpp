// Polynomials of hand-made trees, monomial by monomial, with the limits that stop what cannot be done.
#include "regrove/algebra/ensemble_polynomial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/error.hpp"
#include "regrove/model/ensemble_builder.hpp"

namespace regrove::algebra {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Nested halves of a tree: a leaf, or a question with two sides.
struct Part {
    std::uint32_t feature = 0;
    double threshold = 0;
    std::vector<Part> sides;
    double leaf = 0;
};

Part leaf(double value) { return {0, 0, {}, value}; }
Part ask(std::uint32_t feature, double threshold, Part left, Part right) {
    return {feature, threshold, {std::move(left), std::move(right)}, 0};
}

std::uint32_t add(model::Tree& tree, const Part& part) {
    const auto id = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes.emplace_back();
    tree.nodes[id].value = {part.leaf};
    if (part.sides.empty()) return id;
    model::Question& question = tree.nodes[id].question;
    question.kind = model::QuestionKind::threshold;
    question.feature = FeatureId{part.feature};
    question.threshold = part.threshold;
    tree.nodes[id].left = NodeId{add(tree, part.sides[0])};
    const std::uint32_t right = add(tree, part.sides[1]);
    tree.nodes[id].right = NodeId{right};
    return id;
}

model::Ensemble sum_of(const std::vector<Part>& trees, double initial = 0) {
    model::EnsembleBuilder builder;
    builder.task(model::Task::regression, "y", {}).features(model::numbered_features(12));
    for (const Part& part : trees) {
        model::Tree tree;
        add(tree, part);
        builder.add_tree(std::move(tree));
    }
    builder.sum(model::Link::identity, {initial});
    return std::move(builder).build();
}

/// "2.5 f0 > 1 & f1 > 2", one a monomial.
std::vector<std::string> texts(const Polynomial& polynomial) {
    std::vector<std::string> lines;
    for (std::size_t m = 0; m < polynomial.size(); ++m)
        lines.push_back(
            std::to_string(to_double(polynomial.coefficient(m)[0], polynomial.unit_exponent)).substr(0, 5) + " " +
            monomial_text(polynomial, m));
    return lines;
}

TEST(EnsemblePolynomial, HasTheTermsOfATreeOfTwoQuestions) {
    const Part tree = ask(0, 1, ask(1, 2, leaf(1), leaf(3)), ask(1, 2, leaf(7), leaf(4.5)));
    EXPECT_THAT(texts(to_polynomial(sum_of({tree}), {})),
                ElementsAre("1.000 1", "6.000 f0 > 1", "-4.50 f0 > 1 & f1 > 2", "2.000 f1 > 2"));
}

/// Kuralenok et al. 2019, section 3: I(x0 > 0) I(x0 <= 1) = I(x0 > 0) - I(x0 > 1).
TEST(EnsemblePolynomial, TheLargerBorderDevoursTheSmaller) {
    const Part tree = ask(0, 0, leaf(0), ask(0, 1, leaf(1), leaf(0)));
    EXPECT_THAT(texts(to_polynomial(sum_of({tree}), {})), ElementsAre("1.000 f0 > 0", "-1.00 f0 > 1"));
}

TEST(EnsemblePolynomial, WhatNoRowReachesVanishes) {
    const Part tree = ask(0, 5, ask(0, 6, leaf(2), leaf(100)), leaf(3));
    EXPECT_THAT(texts(to_polynomial(sum_of({tree}), {})), ElementsAre("2.000 1", "1.000 f0 > 5"));
}

TEST(EnsemblePolynomial, TreesAndInitialScoreAreOneSum) {
    const Polynomial polynomial = to_polynomial(
        sum_of({ask(0, 1, leaf(0.1), leaf(0.2)), ask(0, 1, leaf(0.2), leaf(0.1)), ask(2, 1, leaf(0), leaf(1))}, -0.1),
        {});
    EXPECT_THAT(texts(polynomial), ElementsAre("0.200 1", "1.000 f2 > 1"))
        << "0.1 - 0.2 and 0.2 - 0.1 cancel to the last bit";
}

/// A balanced tree of depth d over d features, the same question on a level: 2^d monomials.
TEST(EnsemblePolynomial, SymmetricTreesHaveTwoToTheDepth) {
    double next = 0;
    const std::function<Part(std::uint32_t)> grow = [&](std::uint32_t level) {
        if (level == 6) return leaf(next = next * 1.7 + 1);
        Part left = grow(level + 1);
        return ask(level, 0.5, std::move(left), grow(level + 1));
    };
    EXPECT_EQ(to_polynomial(sum_of({grow(0)}), {}).size(), 64U);
}

/// A left comb of n questions over n features doubles its monomials with every question.
TEST(EnsemblePolynomial, TheBudgetStopsExplodingTrees) {
    Part comb = leaf(1);
    for (std::uint32_t f = 0; f < 12; ++f) comb = ask(f, 0.5, std::move(comb), leaf(f + 2.0));
    EXPECT_EQ(to_polynomial(sum_of({comb}), {}).size(), 4096U);
    PolynomialOptions options;
    options.max_tree_monomials = 1000;
    try {
        to_polynomial(sum_of({leaf(1), comb}), options);
        FAIL();
    } catch (const LimitError& error) {
        EXPECT_THAT(error.what(), HasSubstr("tree 1 (13 leaves, depth 12)"));
        EXPECT_THAT(error.what(), HasSubstr("--max-tree-monomials"));
    }
    options = {};
    options.max_monomials = 4095;
    EXPECT_THROW(to_polynomial(sum_of({comb}), options), LimitError);
}

TEST(EnsemblePolynomial, RefusesLeavesTooFarApartUnlessRounded) {
    const model::Ensemble wide = sum_of({ask(0, 1, leaf(1e30), leaf(1e-30))});
    try {
        to_polynomial(wide, {});
        FAIL();
    } catch (const LimitError& error) {
        EXPECT_THAT(error.what(), HasSubstr("--round-bits"));
    }
    const model::Ensemble tiny = sum_of({ask(0, 1, leaf(3), leaf(1e-30))});
    PolynomialOptions options;
    options.round_bits = 20;
    EXPECT_THAT(texts(to_polynomial(tiny, options)), ElementsAre("3.000 1", "-3.00 f0 > 1"));
}

/// Borders between the same two floats are one condition for a float32 feature.
TEST(EnsemblePolynomial, ThresholdsThatNoFloatTellsApartAreOne) {
    const double between = 1 + 0x1.0p-30;
    model::Ensemble model = sum_of({ask(0, 1, leaf(0), leaf(2)), ask(0, between, leaf(0), leaf(-2))});
    EXPECT_EQ(to_polynomial(model, {}).size(), 2U);
    model.features[0].precision = model::NumericPrecision::float32;
    EXPECT_EQ(to_polynomial(model, {}).size(), 0U);
}

}  // namespace
}  // namespace regrove::algebra
