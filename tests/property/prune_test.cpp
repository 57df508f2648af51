// Pruning against all pruned subtrees of small trees: cost and complexity at every alpha, and errors on other rows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/random.hpp"
#include "regrove/dist/evaluation.hpp"
#include "regrove/dist/validation_errors.hpp"
#include "regrove/infer/predictor.hpp"
#include "regrove/pipeline/refit.hpp"
#include "regrove/prune/cut_nodes.hpp"
#include "regrove/prune/path_levels.hpp"
#include "regrove/prune/reduced_error.hpp"

#include "support/random_table.hpp"
#include "unit/prune/small_trees.hpp"

namespace regrove {
namespace {

/// One way to prune a tree: what its leaves sum to.
struct Pruned {
    double cost = 0;
    std::uint32_t leaves = 0;
};

/// All ways to prune the subtree at `node`; `cost` is what a node costs as a leaf.
std::vector<Pruned> all_pruned(const model::Tree& tree, const std::vector<double>& cost, NodeId node = NodeId{0}) {
    std::vector<Pruned> all{{cost[index(node)], 1}};
    if (tree.node(node).is_leaf()) return all;
    const auto left = all_pruned(tree, cost, tree.node(node).left);
    const auto right = all_pruned(tree, cost, tree.node(node).right);
    for (const Pruned& a : left)
        for (const Pruned& b : right) all.push_back({a.cost + b.cost, a.leaves + b.leaves});
    return all;
}

std::vector<double> impurity_costs(const model::Tree& tree) {
    std::vector<double> costs;
    for (const model::Node& node : tree.nodes) costs.push_back(node.weight * node.impurity / tree.nodes[0].weight);
    return costs;
}

double leaf_cost(const model::Tree& tree) {
    double sum = 0;
    const auto costs = impurity_costs(tree);
    for (std::size_t i = 0; i < costs.size(); ++i)
        if (tree.nodes[i].is_leaf()) sum += costs[i];
    return sum;
}

/// The path's tree at `alpha` has the least cost of all pruned trees, and the fewest leaves of those that have.
void expect_optimal(const model::Tree& tree, const prune::CostComplexityPath& path, double alpha, double scale) {
    const double noise = 1e-12 * scale;
    const model::Tree pruned = prune::pruned_tree(tree, path, alpha);
    double least = std::numeric_limits<double>::infinity();
    const auto all = all_pruned(tree, impurity_costs(tree));
    for (const Pruned& one : all) least = std::min(least, one.cost + alpha * one.leaves);
    std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
    for (const Pruned& one : all)
        if (one.cost + alpha * one.leaves <= least + noise) fewest = std::min(fewest, one.leaves);
    EXPECT_NEAR(leaf_cost(pruned) + alpha * pruned.leaf_count(), least, noise) << "alpha " << alpha;
    EXPECT_EQ(pruned.leaf_count(), fewest) << "alpha " << alpha;
}

void check_path(const model::Tree& tree) {
    const prune::CostComplexityPath path = prune::cost_complexity_path(tree);
    const double scale = std::max(1.0, std::abs(path.steps.empty() ? 0 : path.steps.back().impurity));
    EXPECT_EQ(path.leaves, tree.leaf_count());
    EXPECT_NEAR(path.impurity, leaf_cost(tree), 1e-12 * scale);
    std::uint32_t leaves = path.leaves;
    for (std::size_t i = 0; i < path.steps.size(); ++i) {
        EXPECT_LT(path.steps[i].leaves, leaves);
        leaves = path.steps[i].leaves;
        const double before = i > 0 ? path.steps[i - 1].alpha : path.steps[0].alpha;
        EXPECT_GE(path.steps[i].alpha, before - 1e-14 * scale);
    }
    EXPECT_EQ(leaves, 1U);
    const auto levels = prune::path_levels({path});
    for (std::size_t i = 1; i < levels.size(); ++i) {
        if (!(levels[i].alpha > 1e-9)) continue;
        expect_optimal(tree, path, levels[i].alpha, scale);
        EXPECT_EQ(prune::pruned_tree(tree, path, levels[i].alpha).leaf_count(), levels[i].leaves);
        const double next = i + 1 < levels.size() ? levels[i + 1].alpha : 2 * levels[i].alpha;
        expect_optimal(tree, path, (levels[i].alpha + next) / 2, scale);
    }
    if (levels.size() > 1 && levels[1].alpha > 1e-9) expect_optimal(tree, path, levels[1].alpha / 2, scale);
}

/// A tree of at most `leaves` leaves with impurities from `values` eighths: few values make many ties.
model::Tree random_tree(std::uint64_t seed, std::uint32_t leaves, std::uint64_t values) {
    const CounterRandom random(seed, 1);
    std::uint64_t draw = 0;
    prune::SmallTree tree;
    const auto grow = [&](const auto& self, double weight, std::uint32_t budget) -> void {
        const double impurity = static_cast<double>(random.below(draw++, values)) / 8;
        if (budget < 2 || weight < 2) {
            tree.leaf(weight, impurity / 4);
            return;
        }
        tree.inner(weight, impurity + 1);
        const auto left = 1 + static_cast<std::uint32_t>(random.below(draw++, budget - 1));
        const double left_weight =
            1 + static_cast<double>(random.below(draw++, static_cast<std::uint64_t>(weight) - 1));
        self(self, left_weight, left);
        self(self, weight - left_weight, budget - left);
    };
    grow(grow, 64, leaves);
    return std::move(tree).finish();
}

TEST(Prune, PathOfRandomTreesIsOptimalAtEveryAlpha) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        check_path(random_tree(seed, 2 + static_cast<std::uint32_t>(seed % 9), seed % 3 == 0 ? 2 : 40));
    }
}

model::Ensemble fitted(const test::RandomTableShape& shape, std::uint64_t max_leaves) {
    pipeline::LearnerOptions options;
    options.cart.max_leaves = max_leaves;
    if (shape.classes > 0) options.cart.criterion = train::Criterion::gini;
    if (shape.classes == 0) options.cart.criterion = train::Criterion::squared_error;
    const auto alone = comm::make_self_communicator();
    return pipeline::fit(*alone, test::random_table(shape), options, 1);
}

test::RandomTableShape shape_of(std::uint64_t seed) {
    test::RandomTableShape shape;
    shape.seed = seed;
    shape.classes = seed % 2 == 0 ? 0 : 2 + static_cast<std::uint32_t>(seed % 3);
    shape.weighted = seed % 5 == 0;
    return shape;
}

TEST(Prune, PathOfGrownTreesIsOptimalAtEveryAlpha) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        check_path(fitted(shape_of(seed), 10).trees[0]);
    }
}

TEST(Prune, OptionsReadBackFromAModelFitItAgain) {
    const auto alone = comm::make_self_communicator();
    for (const bool forest : {false, true}) {
        pipeline::LearnerOptions options;
        options.cart.criterion = train::Criterion::entropy;
        options.cart.max_depth = 4;
        options.cart.min_rows_leaf = 3;
        options.cart.class_weight = {"balanced"};
        options.cart.missing_split = train::MissingSplit::separate;
        if (forest) {
            options.method = pipeline::Method::forest;
            options.forest.trees = 3;
            options.forest.max_features = "0.5";
        }
        const data::TableShard table = test::random_table(shape_of(3));
        const model::Ensemble first = pipeline::fit(*alone, table, options, 77);
        const auto again = pipeline::refit_options(first);
        EXPECT_TRUE(pipeline::fit(*alone, table, again.learner, again.seed) == first);
        EXPECT_EQ(again.learner.cart.class_weight, options.cart.class_weight);
        EXPECT_EQ(again.seed, forest ? 77U : 0U);  // an exact tree has no use for one
        model::Ensemble foreign = first;
        foreign.provenance["method"] = "scikit-learn RandomForestClassifier";
        EXPECT_THROW(pipeline::refit_options(foreign), ConfigError);
        foreign = first;
        foreign.provenance["option.max_dept"] = "3";
        EXPECT_THROW(pipeline::refit_options(foreign), ConfigError);
    }
}

TEST(Prune, ReducedErrorsAreTheFewestWithTheFewestLeaves) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const model::Tree tree = random_tree(seed, 2 + static_cast<std::uint32_t>(seed % 9), 8);
        const CounterRandom random(seed, 2);
        std::vector<double> errors;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) errors.push_back(static_cast<double>(random.below(i, 4)));
        prune::ReducedErrorPruning decision(tree);
        for (std::size_t i = errors.size(); i-- > 0;) {
            ExactSum sum;
            sum.add(errors[i]);
            decision.add(sum);
        }
        Pruned best{std::numeric_limits<double>::infinity(), 0};
        for (const Pruned& one : all_pruned(tree, errors))
            if (std::pair(one.cost, one.leaves) < std::pair(best.cost, best.leaves)) best = one;
        EXPECT_EQ(decision.error_after(), best.cost);
        EXPECT_EQ(prune::cut_nodes(tree, decision.cuts()).leaf_count(), best.leaves);
        EXPECT_GE(decision.error_before(), decision.error_after());
    }
}

/// Weight of wrong answers, or weighted squared errors, by prediction.
double errors_of(const model::Ensemble& ensemble, const data::TableShard& table) {
    const infer::Predictor predictor(ensemble, table.schema);
    const auto answers = dist::answer_rows(ensemble, predictor, table);
    const auto view = answers.view();
    double sum = 0;
    for (std::size_t row = 0; row < view.rows; ++row) {
        const double error = view.classes > 0 ? (view.true_class[row] != view.predicted_class[row] ? 1.0 : 0.0)
                                              : (view.true_value[row] - view.predicted_value[row]) *
                                                    (view.true_value[row] - view.predicted_value[row]);
        sum += view.weight_of(row) * error;
    }
    return sum;
}

TEST(Prune, ReducedErrorsAreThoseOfPredictions) {
    const auto alone = comm::make_self_communicator();
    std::size_t smaller = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        test::RandomTableShape shape = shape_of(seed);
        shape.rows = 60;
        const model::Ensemble ensemble = fitted(shape, 0);
        shape.seed += 1000;
        const data::TableShard valid = test::random_table(shape);
        const auto reduced = dist::reduced_errors(*alone, ensemble, valid);
        model::Ensemble pruned = ensemble;
        pruned.trees[0] = prune::cut_nodes(ensemble.trees[0], reduced[0].cuts);
        model::validate(pruned);
        EXPECT_NEAR(reduced[0].before, errors_of(ensemble, valid), 1e-9);
        EXPECT_NEAR(reduced[0].after, errors_of(pruned, valid), 1e-9);
        smaller += pruned.trees[0].nodes.size() < ensemble.trees[0].nodes.size() ? 1 : 0;
    }
    EXPECT_GT(smaller, 20U);
}

}  // namespace
}  // namespace regrove
