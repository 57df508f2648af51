// Classification forests as sums of what their trees say, against the forest's own answers at every cell.
#include <algorithm>

#include <gtest/gtest.h>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/monomial_trees.hpp"
#include "regrove/algebra/score_difference.hpp"
#include "regrove/algebra/symmetric_trees.hpp"
#include "regrove/model/class_rule.hpp"
#include "regrove/model/node_tables.hpp"

#include "support/score_ensemble.hpp"

namespace regrove::algebra {
namespace {

struct ForestAnswer {
    std::uint32_t chosen = 0;
    std::vector<double> probabilities;
};

/// Tree by tree, as the forest is defined, at all cells.
std::vector<ForestAnswer> forest_answers(const model::Ensemble& forest) {
    const auto tables = model::class_tables(forest);
    const model::ClassRule rule(forest);
    const std::size_t classes = forest.outputs();
    const double total = forest.trees.size() > 1 ? forest.total_tree_weight() : 1;
    std::vector<ForestAnswer> answers;
    infer::PathFlags flags;
    for (const auto& cells : test::all_cells()) {
        std::vector<NodeId> leaves;
        std::vector<double> sums(classes, 0.0);
        for (std::size_t t = 0; t < forest.trees.size(); ++t) {
            leaves.push_back(infer::leaf_of(forest.trees[t], cells, flags));
            for (std::size_t k = 0; k < classes; ++k) sums[k] += tables[t][index(leaves.back()) * classes + k];
        }
        for (double& sum : sums) sum /= total;
        answers.push_back({static_cast<std::uint32_t>(rule.decide(leaves)), sums});
    }
    return answers;
}

std::vector<double> linked(const model::Ensemble& sum, const std::vector<double>& cells) {
    return model::linked_probabilities(sum.link, test::plain_scores(sum, cells), sum.outputs());
}

std::uint32_t largest(const std::vector<double>& numbers) {
    return static_cast<std::uint32_t>(std::ranges::max_element(numbers) - numbers.begin());
}

test::RandomEnsembleShape shape_of(std::uint64_t seed, model::Combination combination) {
    test::RandomEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 1 + seed % 6;
    shape.depth = 1 + static_cast<unsigned>(seed % 4);
    shape.classes = 2 + static_cast<std::uint32_t>(seed % 3);
    shape.combination = combination;
    shape.surrogates = seed % 2 == 0;
    return shape;
}

std::vector<model::Ensemble> forms_of(const model::Ensemble& forest) {
    const Polynomial polynomial = as_sum(to_polynomial(forest, {}));
    return {monomial_trees(polynomial), symmetric_trees(polynomial, {}).ensemble};
}

/// Votes are whole numbers, so no sum rounds: classes, ties among them, and probabilities are equal in every bit.
TEST(ForestPolynomial, VotesAreEqualInEveryBit) {
    std::size_t ties = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        SCOPED_TRACE(seed);
        const auto forest = test::random_ensemble(shape_of(seed, model::Combination::majority));
        const auto answers = forest_answers(forest);
        for (const model::Ensemble& form : forms_of(forest)) {
            model::validate(form);
            ASSERT_EQ(form.link, model::Link::shares);
            auto expected = answers.begin();
            for (const auto& cells : test::all_cells()) {
                const auto scores = test::plain_scores(form, cells);
                ASSERT_EQ(largest(scores), expected->chosen);
                ASSERT_EQ(linked(form, cells), expected++->probabilities);
                ties += std::ranges::count(scores, *std::ranges::max_element(scores)) > 1 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(ties, 100U);
}

TEST(ForestPolynomial, MeansDifferByRoundingOnly) {
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        SCOPED_TRACE(seed);
        auto shape = shape_of(seed, model::Combination::mean);
        shape.leaves = seed % 3 == 0 ? test::LeafStyle::quarters : test::LeafStyle::tenths;
        shape.tree_weights = seed % 4 == 1;
        const auto forest = test::random_ensemble(shape);
        const auto answers = forest_answers(forest);
        for (const model::Ensemble& form : forms_of(forest)) {
            auto expected = answers.begin();
            for (const auto& cells : test::all_cells()) {
                const auto found = linked(form, cells);
                for (std::size_t k = 0; k < found.size(); ++k)
                    ASSERT_NEAR(found[k], expected->probabilities[k], 1e-12);
                ++expected;
            }
        }
    }
}

TEST(ForestPolynomial, ProvenEqualUntilAVoteChanges) {
    for (const auto combination : {model::Combination::majority, model::Combination::mean})
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            SCOPED_TRACE(seed);
            auto forest = test::random_ensemble(shape_of(seed, combination));
            for (const model::Ensemble& form : forms_of(forest)) {
                EXPECT_TRUE(score_difference({forest, form, {}, true}, {}).equal());
                EXPECT_TRUE(score_difference({form, forest, {}, true}, {}).equal());
            }
            const auto forms = forms_of(forest);
            auto& nodes = forest.trees[0].nodes;
            auto& value = nodes.back().value;  // of a leaf that one class has alone
            std::ranges::rotate(value, value.begin() + 1);
            const auto with = score_difference({forest, forms[0], {}, true}, {});
            const auto changed = forest_answers(forest);
            auto answer = changed.begin();
            bool differs = false;
            for (const auto& cells : test::all_cells())
                differs = answer++->probabilities != linked(forms[0], cells) || differs;
            EXPECT_EQ(with.equal(), !differs);
        }
}

/// What pruning leaves: negative scores count as none, and nothing at all as no knowledge.
TEST(ForestPolynomial, SharesOfWhatIsLeft) {
    const auto shares = [](std::vector<double> scores) {
        model::shares(scores, scores);
        return scores;
    };
    EXPECT_EQ(shares({3, 1}), (std::vector<double>{0.75, 0.25}));
    EXPECT_EQ(shares({3, -1, 1}), (std::vector<double>{0.75, 0, 0.25}));
    EXPECT_EQ(shares({-2, 0}), (std::vector<double>{0.5, 0.5}));
    EXPECT_EQ(shares({0, -1, -2, -3}), (std::vector<double>{0.25, 0.25, 0.25, 0.25}));
}

}  // namespace
}  // namespace regrove::algebra
