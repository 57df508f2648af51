// Predicted costs: a sum by hand, and what must be cheaper than what.
#include "regrove/infer/predicted_cost.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

model::Ensemble sum_of(std::vector<model::Tree> trees, std::size_t features = 2) {
    std::vector<model::Feature> named;
    for (std::size_t f = 0; f < features; ++f) named.push_back(numeric(std::string("f") + std::to_string(f)));
    auto ensemble = regression(std::move(named), std::move(trees));
    ensemble.combination = model::Combination::sum;
    ensemble.initial_scores = {0};
    return ensemble;
}

/// Thresholds 0, 1, 2, ... of one feature, all leaves but the last on the left: `leaves` leaves.
model::Tree comb(std::size_t leaves) {
    model::Tree tree;
    for (std::uint32_t i = 0; i + 1 < leaves; ++i) {
        const auto own = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes.push_back(inner(above(0, i), own + 1, own + 2, {0}));
        tree.nodes.push_back(leaf({1.0 + i}));
    }
    tree.nodes.push_back(leaf({-1}));
    return tree;
}

TEST(PredictedCost, AStumpByHand) {
    model::Tree tree{{inner(above(0, 0), 1, 2, {0}), leaf({1}), leaf({2})}};
    // A cell 1.3, one halving 0.1, a column 0.15; a leaf 0.15 from a table of two, one level 0.007.
    EXPECT_NEAR(predicted_row_ns(sum_of({tree})), 1.3 + 0.1 + 0.15 + 0.15 + 2 * 0.0003 + 0.007, 1e-12);
    // The second tree shares the feature and its border.
    EXPECT_NEAR(predicted_row_ns(sum_of({tree, tree})) - predicted_row_ns(sum_of({tree})), 0.15 + 0.0006 + 0.007,
                1e-12);
}

TEST(PredictedCost, AMonomialByHand) {
    const auto monomial = [](double second) {
        return model::Tree{
            {inner(above(0, 0), 1, 2, {0}), leaf({0}), inner(above(1, second), 3, 4, {0}), leaf({0}), leaf({2})}};
    };
    // Two features; two tests and two nodes; of 64 rows some hold nearly always.
    const double held = 1 - std::pow(0.75, 64);
    const double first = 2 * (1.3 + 0.1 + 0.15) + 2 * 0.009 + 2 * 0.002 + 0.016 + held * 0.022;
    EXPECT_NEAR(predicted_row_ns(sum_of({monomial(0)})), first, 1e-12);
    // The second monomial asks one test more, after the same first one, of a feature that now has two borders.
    EXPECT_NEAR(predicted_row_ns(sum_of({monomial(0), monomial(1)})) - first,
                0.1 + 0.009 + 0.002 + 0.016 + held * 0.022, 1e-12);
}

TEST(PredictedCost, MoreLeavesCostMore) {
    double before = 0;
    for (const std::size_t leaves : {1UL, 2UL, 8UL, 9UL, 31UL, 255UL, 257UL}) {
        const double now = predicted_row_ns(sum_of({comb(leaves)}));
        EXPECT_GT(now, before) << leaves;
        before = now;
    }
}

TEST(PredictedCost, SumsAreFasterThanMeans) {
    const auto sum = sum_of({comb(31), comb(31)});
    auto mean = sum;
    mean.combination = model::Combination::mean;
    mean.initial_scores.clear();
    EXPECT_LT(predicted_row_ns(sum), predicted_row_ns(mean));
}

}  // namespace
}  // namespace regrove::infer
