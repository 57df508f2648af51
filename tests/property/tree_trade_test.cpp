// Squared error against number of trees: the error told is the one that rows show, and no tree dropped or kept could be worse.
#include "regrove/algebra/tree_trade.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/monomial_pruning.hpp"

#include "support/score_ensemble.hpp"
#include "support/score_table.hpp"

namespace regrove::algebra {
namespace {

constexpr std::size_t k_rows = 700;

struct Case {
    data::TableShard shard;
    Polynomial polynomial;
    SymmetricPlan plan;
    MonomialPairs pairs{0};
};

Case case_of(std::uint64_t seed) {
    Case of;
    of.shard = test::score_table(k_rows, seed);
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 6;
    shape.depth = 3;
    shape.surrogates = false;
    shape.classes = seed % 2 == 0 ? 2 : 3;
    of.polynomial = to_polynomial(test::score_ensemble(shape), {});
    SymmetricOptions options;
    options.max_depth = 2;
    of.plan = plan_symmetric(of.polynomial, options);
    const model::Ensemble asking = asking_ensemble(of.polynomial);
    const infer::Binding binding(asking, of.shard.schema);
    of.pairs = count_pairs(of.polynomial, places_of(of.plan), binding, of.shard);
    return of;
}

TreeTrade trade_at(const Case& of, double cost) {
    return trade_trees(of.polynomial, of.plan, of.pairs, k_rows, cost);
}

/// The mean over the rows of the squared change of scores, summed over the scores.
double squared_error(const Case& of, const Polynomial& other) {
    const auto whole = scores_of(of.polynomial, of.shard);
    const auto left = scores_of(other, of.shard);
    double sum = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) sum += (whole[i] - left[i]) * (whole[i] - left[i]);
    return sum / k_rows;
}

TEST(TreeTrade, TheErrorIsWhatRowsShow) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(seed);
        const Case of = case_of(seed);
        ASSERT_FALSE(of.plan.tail.empty());
        std::ptrdiff_t last = 0;
        for (const double cost : {1e-3, 0.03, 0.3}) {
            const TreeTrade trade = trade_at(of, cost);
            const Polynomial left = traded(of.polynomial, of.plan, trade);
            EXPECT_NEAR(squared_error(of, left), trade.squared_error, 1e-9 * (1 + trade.squared_error));
            const auto dropped = std::ranges::count(trade.kept, 0);
            EXPECT_GE(dropped, last);
            last = dropped;
        }
        EXPECT_GT(last, 0);
    }
}

/// Every single further drop costs at least what a tree does.
TEST(TreeTrade, NoSingleFurtherDropPays) {
    for (std::uint64_t seed = 6; seed < 10; ++seed) {
        SCOPED_TRACE(seed);
        const Case of = case_of(seed);
        const double cost = 0.1;
        const TreeTrade trade = trade_at(of, cost);
        for (std::size_t t = 0; t < trade.kept.size(); ++t) {
            if (trade.kept[t] == 0) continue;
            TreeTrade further = trade;
            further.kept[t] = 0;
            further.shift.assign(of.polynomial.scores, 0);
            // The best constant: the mean of the change.
            const auto whole = scores_of(of.polynomial, of.shard);
            const auto left = scores_of(traded(of.polynomial, of.plan, further), of.shard);
            for (std::size_t i = 0; i < whole.size(); ++i)
                further.shift[i % further.shift.size()] += (whole[i] - left[i]) / k_rows;
            EXPECT_GE(squared_error(of, traded(of.polynomial, of.plan, further)), trade.squared_error + cost - 1e-9);
        }
    }
}

TEST(TreeTrade, NothingOrEverything) {
    const Case of = case_of(11);
    const TreeTrade all = trade_at(of, 0);
    EXPECT_EQ(std::ranges::count(all.kept, 0), 0);
    EXPECT_EQ(traded(of.polynomial, of.plan, all), normalised(of.polynomial));
    const TreeTrade none = trade_at(of, 1e9);
    EXPECT_EQ(std::ranges::count(none.kept, 1), 0);
    const Polynomial constant = traded(of.polynomial, of.plan, none);
    EXPECT_EQ(constant.size(), 1U);
    EXPECT_TRUE(constant.is_constant(0));
}

}  // namespace
}  // namespace regrove::algebra
