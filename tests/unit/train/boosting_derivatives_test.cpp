// Derivatives computed where they are asked for give the integers that kept ones give, for every objective of one score.
#include "regrove/train/boosting_derivatives.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"

namespace regrove::train {
namespace {

/// More than a block of rows and a piece of one, neither whole.
constexpr std::size_t k_rows = 37001;

struct Case {
    std::unique_ptr<objective::Objective> objective;
    std::vector<double> labels;
    std::vector<double> weights;
    std::vector<double> scores;
    std::vector<double> gradient = std::vector<double>(k_rows);
    std::vector<double> hessian = std::vector<double>(k_rows);
    RowMarks marks;

    GradientView kept() const { return {gradient, hessian, &marks, 777}; }
};

Case random_case(const objective::ObjectiveRow& row, bool weighted) {
    Case made;
    const bool classes = row.labels == objective::LabelKind::two_classes;
    objective::ObjectiveOptions options;
    options.objective = row.name;
    made.objective = objective::make_objective(options, classes ? 2 : 0);
    const CounterRandom labels(5, 1);
    const CounterRandom scores(5, 2);
    for (std::size_t i = 0; i < k_rows; ++i) {
        made.labels.push_back(classes ? static_cast<double>(labels.below(i, 2)) : 0.25 + 5 * labels.uniform(i));
        if (weighted) made.weights.push_back(0.5 + static_cast<double>(scores.below(i, 4)));
        made.scores.push_back(4 * scores.uniform(i + k_rows) - 1.5);
        made.marks.marks.push_back(i % 7 == 3   ? RowMarks::k_out
                                   : i % 5 == 0 ? RowMarks::k_amplified
                                                : RowMarks::k_in);
    }
    made.marks.amplification = 3;
    if (!weighted) made.marks = {};
    objective::all_derivatives(*made.objective, {made.labels, made.weights, {}}, made.scores,
                               {made.gradient, made.hessian});
    return made;
}

void expect_same_rows(const TreeRows& a, const TreeRows& b) {
    EXPECT_EQ(a.entries, b.entries);
    EXPECT_EQ(a.gradient, b.gradient);
    EXPECT_EQ(a.hessian, b.hessian);
    EXPECT_EQ(a.sums, b.sums);
    EXPECT_EQ(a.absolute_gradients, b.absolute_gradients);
}

void expect_same_integers(const Case& c) {
    const NarrowNumbers labels(c.labels);
    const NarrowNumbers weights(c.weights);
    const ComputedDerivatives source(*c.objective, {labels, weights, c.scores});
    const GradientView computed{{}, {}, &c.marks, 777, &source};
    ASSERT_EQ(computed.count(), k_rows);
    const GradientFacts facts = gradient_facts(computed);
    const GradientFacts expected = gradient_facts(c.kept());
    EXPECT_EQ(facts.largest_gradient, expected.largest_gradient);
    EXPECT_EQ(facts.largest_hessian, expected.largest_hessian);
    EXPECT_EQ(facts.least_hessian, expected.least_hessian);
    EXPECT_EQ(facts.rows, expected.rows);
    EXPECT_GT(facts.largest_gradient, 0);
    for (const GradientGrid& grid : {packed_grid(facts), wide_grid(facts)}) {
        TreeRows own;
        TreeRows of_kept;
        fill_rows(computed, grid, 9, own);
        fill_rows(c.kept(), grid, 9, of_kept);
        expect_same_rows(own, of_kept);
        std::vector<RowEntry> some;  // as a leaf holds them: ascending, with gaps
        for (std::size_t i = 0; i < own.entries.size(); i += 1 + i % 3) some.push_back(own.entries[i]);
        EXPECT_EQ(fine_sums(computed, wide_grid(facts), some), fine_sums(c.kept(), wide_grid(facts), some));
        EXPECT_EQ(fine_sums(computed, wide_grid(facts), {}), GradientSums{});
    }
}

TEST(ComputedDerivatives, GiveTheIntegersOfKeptOnes) {
    std::size_t seen = 0;
    for (const objective::ObjectiveRow& row : objective::all_objectives()) {
        const bool one_score =
            row.labels == objective::LabelKind::two_classes || row.labels == objective::LabelKind::number;
        if (!one_score) continue;
        for (const bool weighted : {false, true}) {
            for (const unsigned threads : {1U, 2U}) {
                SCOPED_TRACE(testing::Message() << row.name << ", weighted " << weighted << ", threads " << threads);
                set_thread_count(threads);
                expect_same_integers(random_case(row, weighted));
            }
        }
        ++seen;
    }
    set_thread_count(1);
    EXPECT_GE(seen, 8U);
}

TEST(ComputedDerivatives, SayThatScoresHaveRunAway) {
    objective::ObjectiveOptions options;
    options.objective = "poisson";
    const auto poisson = objective::make_objective(options, 0);
    const std::vector<double> scores{0, 1000, 1};
    const NarrowNumbers labels(std::vector<double>{1, 2, 3});
    const NarrowNumbers none;
    const RowMarks all;
    const ComputedDerivatives source(*poisson, {labels, none, scores});
    EXPECT_FALSE(gradient_facts({{}, {}, &all, 0, &source}).finite);
}

}  // namespace
}  // namespace regrove::train
