// Polynomials as trees again, and counts of their monomials, against brute force.
#include <algorithm>

#include <gtest/gtest.h>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/algebra/monomial_pairs.hpp"
#include "regrove/algebra/monomial_pruning.hpp"
#include "regrove/algebra/monomial_trees.hpp"
#include "regrove/algebra/score_bound.hpp"
#include "regrove/algebra/score_difference.hpp"
#include "regrove/algebra/symmetric_trees.hpp"
#include "regrove/core/parallel.hpp"

#include "support/score_ensemble.hpp"
#include "support/score_table.hpp"

namespace regrove::algebra {
namespace {

test::ScoreEnsembleShape shape_of(std::uint64_t seed) {
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 3 + seed % 6;
    shape.depth = 2 + static_cast<unsigned>(seed % 3);
    shape.surrogates = shape.depth < 3;
    shape.classes = seed % 3 == 0 ? 3 : 2;
    return shape;
}

void expect_same_scores(const model::Ensemble& first, const model::Ensemble& second) {
    for (const auto& cells : test::all_cells())
        ASSERT_TRUE(test::exact_scores(first, cells) == test::exact_scores(second, cells));
    EXPECT_TRUE(score_difference({first, second, {}, true}, {}).equal());
}

TEST(MonomialForms, OneTreeAMonomialIsThePolynomial) {
    for (std::uint64_t seed = 0; seed < 15; ++seed) {
        SCOPED_TRACE(seed);
        const model::Ensemble ensemble = test::score_ensemble(shape_of(seed));
        const Polynomial polynomial = to_polynomial(ensemble, {});
        const model::Ensemble trees = monomial_trees(polynomial);
        model::validate(trees);
        expect_same_scores(ensemble, trees);
        const Polynomial back = to_polynomial(trees, {});
        EXPECT_EQ(static_cast<const MonomialList&>(back).ids, polynomial.ids);
        EXPECT_EQ(back.conditions, polynomial.conditions);
    }
}

TEST(MonomialForms, SymmetricTreesHaveTheSameScoresEverywhere) {
    for (std::uint64_t seed = 20; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        const model::Ensemble ensemble = test::score_ensemble(shape_of(seed));
        SymmetricOptions options;
        options.max_depth = 2 + static_cast<std::uint32_t>(seed % 7);
        const SymmetricForm form = symmetric_trees(to_polynomial(ensemble, {}), options);
        model::validate(form.ensemble);
        EXPECT_EQ(form.error_bound, 0);
        expect_same_scores(ensemble, form.ensemble);
        for (std::size_t t = 0; t < form.groups; ++t) EXPECT_LE(form.ensemble.trees[t].depth(), options.max_depth);
    }
}

TEST(MonomialForms, RoundedLeavesKeepTheirBound) {
    const model::Ensemble ensemble = test::score_ensemble(shape_of(31));
    SymmetricOptions options;
    options.exact = false;
    const SymmetricForm form = symmetric_trees(to_polynomial(ensemble, {}), options);
    EXPECT_EQ(form.remainder_trees, 0U);
    EXPECT_GT(form.error_bound, 0);
    EXPECT_LT(form.error_bound, 1e-13);
    model::Ensemble negative = form.ensemble;
    negative.initial_scores[0] *= -1;
    for (model::Tree& tree : negative.trees)
        for (model::Node& node : tree.nodes) node.value[0] *= -1;
    for (const auto& cells : test::all_cells()) {
        ExactSum difference = test::exact_scores(ensemble, cells)[0];
        difference.merge(test::exact_scores(negative, cells)[0]);
        ASSERT_LE(std::abs(difference.value()), form.error_bound);
    }
}

TEST(MonomialForms, CountsEqualAPlainLoop) {
    const std::size_t rows = 2 * 4096 + 77;
    const data::TableShard shard = test::score_table(rows, 5);
    for (std::uint64_t seed = 50; seed < 54; ++seed) {
        SCOPED_TRACE(seed);
        const Polynomial polynomial = to_polynomial(test::score_ensemble(shape_of(seed)), {});
        const model::Ensemble asking = asking_ensemble(polynomial);
        const infer::Binding binding(asking, shard.schema);
        std::vector<std::uint64_t> plain(polynomial.size(), 0);
        std::vector<double> cells;
        for (std::size_t row = 0; row < rows; ++row) {
            binding.fill(shard, row, row + 1, cells);
            for (std::size_t m = 0; m < polynomial.size(); ++m) {
                bool all = true;
                for (const ConditionId id : polynomial.monomial(m)) {
                    const Condition& condition = polynomial.conditions[id];
                    all = all && holds(condition, cells[index(condition.feature)]);
                }
                plain[m] += all ? 1 : 0;
            }
        }
        for (const unsigned threads : {1U, 3U}) {
            set_thread_count(threads);
            EXPECT_EQ(count_rows(polynomial, binding, shard), plain);
        }
        set_thread_count(1);
    }
}

TEST(MonomialForms, PairsAndSumsEqualPlainLoops) {
    const std::size_t rows = 4096 + 77;
    const data::TableShard shard = test::score_table(rows, 8);
    for (std::uint64_t seed = 70; seed < 73; ++seed) {
        SCOPED_TRACE(seed);
        const Polynomial polynomial = to_polynomial(test::score_ensemble(shape_of(seed)), {});
        const model::Ensemble asking = asking_ensemble(polynomial);
        const infer::Binding binding(asking, shard.schema);
        std::vector<std::uint32_t> places;
        for (std::size_t m = 0; m < polynomial.size(); m += 3) places.push_back(static_cast<std::uint32_t>(m));
        std::ranges::reverse(places);
        const std::size_t count = places.size();
        const std::size_t scores = polynomial.scores;
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < rows * scores; ++i)
            numbers.push_back(static_cast<std::int64_t>(i * 7919 % 1001) - 500);
        MonomialPairs pairs(count);
        std::vector<std::int64_t> sums(count * scores, 0);
        std::vector<double> cells;
        std::vector<std::uint8_t> own(count);
        for (std::size_t row = 0; row < rows; ++row) {
            binding.fill(shard, row, row + 1, cells);
            for (std::size_t i = 0; i < count; ++i)
                own[i] = std::ranges::all_of(polynomial.monomial(places[i]), [&](ConditionId id) {
                    const Condition& condition = polynomial.conditions[id];
                    return holds(condition, cells[index(condition.feature)]);
                });
            for (std::size_t i = 0; i < count; ++i) {
                if (own[i] == 0) continue;
                for (std::size_t j = 0; j < count; ++j) pairs.with(i)[j] += own[j];
                for (std::size_t k = 0; k < scores; ++k) sums[i * scores + k] += numbers[row * scores + k];
            }
        }
        for (const unsigned threads : {1U, 3U}) {
            set_thread_count(threads);
            EXPECT_EQ(count_pairs(polynomial, places, binding, shard), pairs);
            EXPECT_EQ(sums_over_rows(polynomial, places, numbers, binding, shard), sums);
        }
        set_thread_count(1);
    }
}

/// All cells of the space stay within the bound; where all conditions fit one tree, one of them meets it.
TEST(MonomialForms, NoScoreIsBeyondTheBound) {
    std::size_t met = 0;
    for (std::uint64_t seed = 80; seed < 110; ++seed) {
        SCOPED_TRACE(seed);
        test::ScoreEnsembleShape shape = shape_of(seed);
        shape.trees = 1 + seed % 4;
        shape.depth = 2;
        const model::Ensemble ensemble = test::score_ensemble(shape);
        const Polynomial polynomial = to_polynomial(ensemble, {});
        const double bound = score_bound(polynomial);
        double by_sign = 0;
        double farthest = 0;
        for (const auto& cells : test::all_cells())
            for (const ExactSum& score : test::exact_scores(ensemble, cells))
                farthest = std::max(farthest, std::abs(score.value()));
        EXPECT_LE(farthest, bound);
        for (std::size_t m = 0; m < polynomial.size(); ++m) {
            double largest = 0;
            for (const Int128 number : polynomial.coefficient(m))
                largest = std::max(largest, std::abs(to_double(number, polynomial.unit_exponent)));
            by_sign += largest;
        }
        EXPECT_LE(bound, by_sign * (1 + 1e-12));
        met += bound <= farthest * (1 + 1e-12) ? 1 : 0;
    }
    EXPECT_GE(met, 5U);
}

/// At every level the scores are those of the polynomial that the level leaves, and none is farther from the whole than
/// the bound.
TEST(MonomialForms, LevelsScoreAsWhatTheyLeave) {
    const data::TableShard shard = test::score_table(1500, 6);
    for (std::uint64_t seed = 60; seed < 64; ++seed) {
        SCOPED_TRACE(seed);
        const Polynomial polynomial = to_polynomial(test::score_ensemble(shape_of(seed)), {});
        const model::Ensemble asking = asking_ensemble(polynomial);
        const infer::Binding binding(asking, shard.schema);
        const auto values = monomial_values(polynomial, count_rows(polynomial, binding, shard), shard.rows);
        const auto levels = pruning_levels(values, 5);
        ASSERT_GE(levels.size(), 3U);
        EXPECT_EQ(levels.back().kept, 0U);
        const auto scores = scores_at_levels(polynomial, values, levels, binding, shard);
        std::vector<double> cells;
        for (std::size_t level = 0; level < levels.size(); ++level) {
            const auto kept = kept_at(values, levels[level].alpha);
            const Polynomial left = selected(polynomial, kept);
            std::vector<std::uint8_t> dropped;
            for (const std::uint8_t stays : kept) dropped.push_back(stays == 0 ? 1 : 0);
            const double bound = score_bound(selected(polynomial, dropped));
            for (std::size_t row = 0; row < shard.rows; row += 7) {
                binding.fill(shard, row, row + 1, cells);
                const auto whole = scores_at(polynomial, cells);
                const auto own = scores_at(left, cells);
                for (std::uint32_t k = 0; k < polynomial.scores; ++k) {
                    ASSERT_EQ(scores[level][row * polynomial.scores + k], to_double(own[k], left.unit_exponent));
                    ASSERT_LE(std::abs(to_double(whole[k] - own[k], left.unit_exponent)), bound);
                }
            }
        }
    }
}

}  // namespace
}  // namespace regrove::algebra
