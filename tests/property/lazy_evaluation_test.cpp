// Lazy evaluation against its definition, row by row and monomial by monomial.
#include "regrove/algebra/lazy_evaluation.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/monomial_pruning.hpp"
#include "regrove/core/parallel.hpp"

#include "support/score_ensemble.hpp"
#include "support/score_table.hpp"

namespace regrove::algebra {
namespace {

Polynomial polynomial_of(std::uint64_t seed) {
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 2 + seed % 4;
    shape.depth = 3;
    shape.surrogates = false;
    return to_polynomial(test::score_ensemble(shape), {});
}

/// One row by the definition: a feature is asked for when a monomial on it has no condition known to fail, unless the sums of what
/// may still come leave the decision as it is.
class PlainRow {
  public:
    PlainRow(const Polynomial& polynomial, const std::vector<double>& cells)
        : polynomial_(polynomial), cells_(cells) {}

    std::vector<std::uint64_t> asked(const LazyOptions& options) const {
        std::vector<std::uint64_t> asked(polynomial_.frame.features.size(), 0);
        std::vector<FeatureId> known;
        for (const FeatureId feature : lazy_order(polynomial_, options)) {
            if (options.decide_at && is_settled(known, *options.decide_at)) break;
            bool needed = false;
            for (std::size_t m = 0; m < polynomial_.size(); ++m)
                needed = needed || (may_hold(m, known) && asks(m, feature));
            if (!needed) continue;
            asked[index(feature)] = 1;
            known.push_back(feature);
        }
        return asked;
    }

  private:
    bool asks(std::size_t m, FeatureId feature) const {
        return std::ranges::any_of(polynomial_.monomial(m),
                                   [&](ConditionId id) { return polynomial_.conditions[id].feature == feature; });
    }
    bool may_hold(std::size_t m, const std::vector<FeatureId>& known) const {
        return std::ranges::all_of(polynomial_.monomial(m), [&](ConditionId id) {
            const Condition& condition = polynomial_.conditions[id];
            return std::ranges::find(known, condition.feature) == known.end() ||
                   holds(condition, cells_[index(condition.feature)]);
        });
    }
    bool is_sure(std::size_t m, const std::vector<FeatureId>& known) const {
        return may_hold(m, known) && std::ranges::all_of(polynomial_.monomial(m), [&](ConditionId id) {
                   return std::ranges::find(known, polynomial_.conditions[id].feature) != known.end();
               });
    }
    bool is_settled(const std::vector<FeatureId>& known, double cut) const {
        Int128 low = 0;
        Int128 high = 0;
        for (std::size_t m = 0; m < polynomial_.size(); ++m) {
            const Int128 number = polynomial_.coefficient(m)[0];
            if (is_sure(m, known) || (may_hold(m, known) && number < 0)) low += number;
            if (is_sure(m, known) || (may_hold(m, known) && number > 0)) high += number;
        }
        return to_score(low) > cut || to_score(high) <= cut;
    }
    double to_score(Int128 units) const {
        return std::ldexp(static_cast<double>(units), polynomial_.unit_exponent) / polynomial_.divisor;
    }

    const Polynomial& polynomial_;
    const std::vector<double>& cells_;
};

void expect_as_defined(const Polynomial& polynomial, const LazyOptions& options) {
    const data::TableShard shard = test::score_table(4096 + 700, 3);
    const model::Ensemble asking = asking_ensemble(polynomial);
    const infer::Binding binding(asking, shard.schema);
    const LazyAnswers answers = evaluate_lazily(polynomial, binding, shard, options);
    std::vector<std::uint64_t> expected(polynomial.frame.features.size(), 0);
    std::vector<double> cells;
    for (std::size_t row = 0; row < shard.rows; ++row) {
        binding.fill(shard, row, row + 1, cells);
        const auto of_row = PlainRow(polynomial, cells).asked(options);
        for (std::size_t f = 0; f < expected.size(); ++f) expected[f] += of_row[f];
    }
    EXPECT_EQ(answers.asked, expected);
    if (!options.decide_at) return;
    const auto scores = scores_of(polynomial, shard);
    for (std::size_t row = 0; row < shard.rows; ++row)
        ASSERT_EQ(answers.above[row] != 0, scores[row] > *options.decide_at) << row;
}

TEST(LazyEvaluation, AsksWhatTheDefinitionAsks) {
    const std::vector<std::vector<double>> costs{{1, 2, 3, 4}, {4, 3, 2, 1}, {1, 1, 1, 1}, {0, 5, 0, 5}};
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(seed);
        LazyOptions options;
        options.feature_costs = costs[seed];
        expect_as_defined(polynomial_of(seed), options);
        for (const double cut : {-1.0, 0.0, 0.7, 1e9}) {
            options.decide_at = cut;
            expect_as_defined(polynomial_of(seed), options);
        }
    }
}

TEST(LazyEvaluation, ThreadsCountAlike) {
    const Polynomial polynomial = polynomial_of(9);
    const data::TableShard shard = test::score_table(3 * 4096 + 5, 4);
    const model::Ensemble asking = asking_ensemble(polynomial);
    const infer::Binding binding(asking, shard.schema);
    LazyOptions options{{1, 2, 3, 4}, 0.25};
    const auto one = evaluate_lazily(polynomial, binding, shard, options);
    set_thread_count(3);
    const auto three = evaluate_lazily(polynomial, binding, shard, options);
    set_thread_count(1);
    EXPECT_EQ(one.asked, three.asked);
    EXPECT_EQ(one.above, three.above);
    const data::TableShard none = data::slice(shard, 0, 0);
    EXPECT_EQ(evaluate_lazily(polynomial, binding, none, options).asked, std::vector<std::uint64_t>(4, 0));
}

}  // namespace
}  // namespace regrove::algebra
