// A boosted model is the same, byte for byte, on any number of ranks and threads, however its rows are spread.
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/formats/registry.hpp"

#include "support/mpi_world.hpp"
#include "support/random_table.hpp"

namespace regrove {
namespace {

using dist::grow_boosted;
using test::world;
using train::BoostingGrowth;
using train::BoostingOptions;

/// Uneven shares; with three ranks or more, rank 1 has no rows.
data::TableShard share(const data::TableShard& table, int rank, int ranks) {
    const auto cut = [&](int r) -> std::size_t {
        if (r == 0) return 0;
        if (r >= ranks) return table.rows;
        if (ranks >= 3 && r == 2) r = 1;
        return table.rows * static_cast<std::size_t>(r * r) / static_cast<std::size_t>(ranks * ranks);
    };
    return data::slice(table, cut(rank), cut(rank + 1));
}

struct Case {
    std::string name;
    test::RandomTableShape shape;
    BoostingOptions options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const char* name, const char* objective, std::uint32_t classes, auto change) {
        Case c;
        c.name = name;
        c.shape.seed = 5;
        c.shape.rows = 300;
        c.shape.classes = classes;
        c.shape.continuous = true;
        c.options.objective.objective = objective;
        c.options.trees = 4;
        c.options.max_depth = 3;
        c.options.max_bin = 16;
        change(c);
        all.push_back(c);
    };
    add("logistic", "auto", 2, [](Case&) {});
    add("squared error, best first, rows drawn", "auto", 0, [](Case& c) {
        c.options.growth = BoostingGrowth::lossguide;
        c.options.max_leaves = 9;
        c.options.max_depth = 0;
        c.options.subsample = 0.6;
        c.options.colsample_bytree = 0.8;
        c.options.colsample_bylevel = 0.8;
        c.options.colsample_bynode = 0.8;
    });
    add("logistic, symmetric, weights", "logistic", 2, [](Case& c) {
        c.options.growth = BoostingGrowth::symmetric;
        c.shape.weighted = c.shape.real_weights = true;
    });
    add("softmax, class weights, leaves of rows", "softmax", 3, [](Case& c) {
        c.options.class_weight = {"balanced"};
        c.options.min_rows_leaf = 5;
        c.options.max_leaves = 6;
    });
    add("absolute error", "absolute-error", 0, [](Case& c) { c.shape.weighted = true; });
    add("logistic, gradient sampling, monotone", "logistic", 2, [](Case& c) {
        c.options.sampling = train::BoostingSampling::gradient;
        c.options.monotone = {"narrow0=+1", "wide1=-1"};
        c.options.scale_pos_weight = 2;
    });
    add("squared error, DART, interactions", "squared-error", 0, [](Case& c) {
        c.options.dart = true;
        c.options.skip_drop = 0.2;
        c.options.drop_rate = 0.4;
        c.options.interaction = {"narrow0:wide1:category0", "whole2:category1"};
        c.options.subsample = 0.8;
    });
    return all;
}

dist::BoostingTables only(data::TableShard shard) { return {std::move(shard), std::nullopt, nullptr}; }

TEST(Boosting, IsTheSameHoweverItIsSpread) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const data::TableShard table = random_table(c.shape);
        set_thread_count(1);
        const auto expected = grow_boosted(*alone, only(table), c.options, 42);
        EXPECT_GT(expected.ensemble.trees[0].nodes.size(), 5U);
        const std::string bytes = formats::write_model(expected.ensemble);
        for (const unsigned threads : {1U, 2U}) {
            set_thread_count(threads);
            const auto grown = grow_boosted(comm, only(share(table, comm.rank(), comm.size())), c.options, 42);
            ASSERT_TRUE(formats::write_model(grown.ensemble) == bytes) << threads << " threads";
            EXPECT_EQ(grown.rows, 300U);
        }
        set_thread_count(1);
    }
}

TEST(Boosting, LargeTablesWithPackedGradientsAreTheSameToo) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    Case c = cases()[0];
    c.shape.rows = 70000;
    c.options.max_bin = 255;
    c.options.trees = 2;
    c.options.max_depth = 6;
    const data::TableShard table = random_table(c.shape);
    set_thread_count(2);
    const auto expected = formats::write_model(grow_boosted(*alone, only(table), c.options, 1).ensemble);
    const auto grown = grow_boosted(comm, only(share(table, comm.rank(), comm.size())), c.options, 1);
    set_thread_count(1);
    EXPECT_TRUE(formats::write_model(grown.ensemble) == expected);
}

TEST(Boosting, GoesOnExactlyWhereItEnded) {
    auto& comm = world();
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const data::TableShard own = share(random_table(c.shape), comm.rank(), comm.size());
        const auto whole = grow_boosted(comm, only(own), c.options, 42);
        BoostingOptions part = c.options;
        part.trees = 2;
        const auto first = grow_boosted(comm, only(own), part, 42);
        part.trees = 2;
        const auto second = grow_boosted(comm, {own, std::nullopt, &first.ensemble}, part, 42);
        EXPECT_EQ(first.rounds, 2U);
        EXPECT_EQ(second.rounds, 4U);
        EXPECT_TRUE(formats::write_model(second.ensemble) == formats::write_model(whole.ensemble));
    }
}

TEST(Boosting, StopsAtTheBestRoundOfAllRanks) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    Case c = cases()[0];
    c.options.trees = 60;
    c.options.learning_rate = 0.5;
    c.options.early_stopping = 4;
    const data::TableShard table = random_table(c.shape);
    c.shape.seed = 6;
    const data::TableShard valid = random_table(c.shape);
    const auto expected = grow_boosted(*alone, {table, valid, nullptr}, c.options, 1, dist::CurveWanted::both);
    const auto grown =
        grow_boosted(comm, {share(table, comm.rank(), comm.size()), share(valid, comm.rank(), comm.size()), nullptr},
                     c.options, 1, dist::CurveWanted::both);
    ASSERT_EQ(grown.curve.points.size(), expected.curve.points.size());
    std::size_t best = 0;
    for (std::size_t i = 0; i < grown.curve.points.size(); ++i) {
        EXPECT_EQ(grown.curve.points[i].validation, expected.curve.points[i].validation);
        EXPECT_EQ(grown.curve.points[i].training, expected.curve.points[i].training);
        if (grown.curve.points[i].validation < grown.curve.points[best].validation) best = i;
    }
    EXPECT_EQ(grown.curve.metric, "log_loss");
    EXPECT_EQ(grown.rounds, best + 1);
    EXPECT_EQ(grown.rounds_grown, best + 5);
    EXPECT_LT(grown.rounds_grown, 60U);
    EXPECT_EQ(formats::write_model(grown.ensemble), formats::write_model(expected.ensemble));
}

TEST(Boosting, MoreRanksThanRows) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    Case c = cases()[0];
    c.shape.rows = 3;
    c.shape.missing_share = 0;
    c.options.min_child_weight = 0;
    const data::TableShard table = random_table(c.shape);
    const auto expected = grow_boosted(*alone, only(table), c.options, 1);
    const auto grown = grow_boosted(comm, only(share(table, comm.rank(), comm.size())), c.options, 1);
    EXPECT_EQ(grown.ensemble, expected.ensemble);
}

/// A numeric table of float64 features, a label "y" and, when given, weights.
data::TableShard numbers(std::vector<std::vector<double>> features, std::vector<double> label,
                         std::vector<double> weights = {}) {
    data::TableShard table;
    table.rows = table.global_rows = label.size();
    const auto add = [&](const std::string& name, data::ColumnRole role, std::vector<double> cells) {
        table.schema.columns.push_back({name, data::ColumnType::float64, role, {}});
        table.values.emplace_back(std::move(cells));
    };
    for (std::size_t f = 0; f < features.size(); ++f)
        add("x" + std::to_string(f), data::ColumnRole::feature, features[f]);
    add("y", data::ColumnRole::label, std::move(label));
    if (!weights.empty()) add("w", data::ColumnRole::weight, std::move(weights));
    return table;
}

TEST(Boosting, RowsOfWeightZeroDoNotCount) {
    auto& comm = world();
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> w;
    for (int row = 0; row < 40; ++row) {
        x.push_back(row % 7);
        y.push_back(row < 30 ? 100 : 0);
        w.push_back(row < 30 ? 0 : 1);
    }
    const data::TableShard own = share(numbers({x}, y, w), comm.rank(), comm.size());
    BoostingOptions options;
    options.trees = 1;
    for (const char* objective : {"squared-error", "absolute-error"}) {
        options.objective.objective = objective;
        const auto grown = grow_boosted(comm, only(own), options, 1);
        EXPECT_EQ(grown.ensemble.initial_scores, std::vector<double>{0.0}) << objective;
    }
}

/// Of absolute error's gradients only ties are smaller: rows at their score have none. Six labels in ten are 0, the score of
/// all rows, and are thinned; the median of all is 0 only when those that are drawn stand for the others.
TEST(Boosting, QuantilesOfLeavesCountAmplifiedRowsForThoseTheyStandFor) {
    auto& comm = world();
    std::vector<double> x;
    std::vector<double> y;
    for (int row = 0; row < 4000; ++row) {
        x.push_back(row % 2);
        y.push_back(row % 10 < 4 ? 5 : 0);
    }
    BoostingOptions options;
    options.trees = 1;
    options.sampling = train::BoostingSampling::gradient;
    options.objective.objective = "absolute-error";
    options.learning_rate = 1;
    options.max_depth = 1;
    options.top_rate = 0.3;
    const auto grown = grow_boosted(comm, only(share(numbers({x}, y), comm.rank(), comm.size())), options, 1);
    EXPECT_EQ(grown.ensemble.initial_scores, std::vector<double>{0.0});
    for (const model::Node& node : grown.ensemble.trees[0].nodes) {
        if (node.is_leaf()) {
            EXPECT_EQ(node.value[0], 0);
        }
    }
}

/// Twelve rows (0, 0) of 10, ten (1, 0) of -10, ten (1, 1) of 5. The root asks x0, then both nodes x1: (0, 1) has no row.
TEST(Boosting, QuantilesOfLeavesWithoutRowsAreTheirParents) {
    auto& comm = world();
    std::vector<std::vector<double>> x(2);
    std::vector<double> y;
    for (int row = 0; row < 32; ++row) {
        x[0].push_back(row < 12 ? 0 : 1);
        x[1].push_back(row < 22 ? 0 : 1);
        y.push_back(row < 12 ? 10 : row < 22 ? -10 : 5);
    }
    BoostingOptions options;
    options.trees = 1;
    options.objective.objective = "absolute-error";
    options.objective.boost_from_average = objective::FirstScores::zero;
    options.growth = BoostingGrowth::symmetric;
    options.learning_rate = 0.5;
    options.max_depth = 2;
    const auto grown = grow_boosted(comm, only(share(numbers(x, y), comm.rank(), comm.size())), options, 1);
    const model::Tree& tree = grown.ensemble.trees[0];
    ASSERT_EQ(tree.nodes.size(), 7U);
    const model::Node& low = tree.node(tree.nodes[0].left);
    ASSERT_EQ(tree.node(low.right).rows, 0U);
    EXPECT_EQ(tree.node(low.left).value[0], 5);
    EXPECT_EQ(tree.node(low.right).value[0], 5);
    EXPECT_EQ(tree.node(tree.node(tree.nodes[0].right).left).value[0], -5);
    EXPECT_EQ(tree.node(tree.node(tree.nodes[0].right).right).value[0], 2.5);
}

TEST(Boosting, StoppingGoesOnFromTheBestRoundOfTheContinuedModel) {
    auto& comm = world();
    Case c = cases()[0];
    c.options.trees = 60;
    c.options.learning_rate = 0.5;
    c.options.early_stopping = 4;
    const data::TableShard own = share(random_table(c.shape), comm.rank(), comm.size());
    c.shape.seed = 6;
    const data::TableShard valid = share(random_table(c.shape), comm.rank(), comm.size());
    const auto whole = grow_boosted(comm, {own, valid, nullptr}, c.options, 1);
    const auto again = grow_boosted(comm, {own, valid, &whole.ensemble}, c.options, 1);
    EXPECT_EQ(again.rounds_grown, 4U) << "none of the next four is better";
    EXPECT_EQ(again.rounds, whole.rounds);
    EXPECT_TRUE(formats::write_model(again.ensemble) == formats::write_model(whole.ensemble));
}

/// Labels 1 and 1000 by x: a leaf of the greater ones would be far above 0.7.
TEST(Boosting, StepsAreLimitedByTheObjectiveUnlessAskedOtherwise) {
    auto& comm = world();
    std::vector<double> x;
    std::vector<double> y;
    for (int row = 0; row < 60; ++row) {
        x.push_back(row % 6);
        y.push_back(row % 6 == 5 ? 1000 : 1);
    }
    const auto largest = [&](const char* objective, std::optional<double> step) {
        BoostingOptions options;
        options.trees = 1;
        options.learning_rate = 1;
        options.objective.objective = objective;
        options.objective.boost_from_average = objective::FirstScores::zero;
        options.max_delta_step = step;
        double most = 0;
        const auto grown = grow_boosted(comm, only(share(numbers({x}, y), comm.rank(), comm.size())), options, 1);
        for (const model::Node& node : grown.ensemble.trees[0].nodes) {
            if (node.is_leaf()) most = std::max(most, std::fabs(node.value[0]));
        }
        return most;
    };
    EXPECT_EQ(largest("poisson", std::nullopt), 0.7);
    EXPECT_EQ(largest("poisson", 0.25), 0.25);
    // Ten rows of 1 - 1000 at hessian 1 each and lambda 1.
    EXPECT_NEAR(largest("poisson", 0), 9990.0 / 11, 1e-9);
    EXPECT_GT(largest("gamma", std::nullopt), 0.9) << "XGBoost limits poisson only";
}

TEST(Boosting, DerivativesThatAreNotFiniteEndWithTheRoundsNumber) {
    auto& comm = world();
    std::vector<double> x;
    std::vector<double> y;
    for (int row = 0; row < 60; ++row) {
        x.push_back(row % 6);
        y.push_back(row % 6 == 5 ? 1000 : 1);
    }
    BoostingOptions options;
    options.trees = 9;
    options.learning_rate = 1;
    options.objective.objective = "poisson";
    options.objective.boost_from_average = objective::FirstScores::zero;
    options.max_delta_step = 0;  // a leaf of 908: e^908 is beyond double
    try {
        static_cast<void>(grow_boosted(comm, only(share(numbers({x}, y), comm.rank(), comm.size())), options, 1));
        ADD_FAILURE();
    } catch (const LimitError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("poisson"), std::string::npos) << message;
        EXPECT_NE(message.find("round 2 "), std::string::npos) << message;
        EXPECT_NE(message.find("--max-delta-step"), std::string::npos) << message;
    }
}

TEST(Boosting, RefusesWhatContradictsItself) {
    auto& comm = world();
    const data::TableShard own = share(random_table(cases()[0].shape), comm.rank(), comm.size());
    const auto refuse = [&](auto change, const std::string& word) {
        BoostingOptions options = cases()[0].options;
        change(options);
        try {
            static_cast<void>(grow_boosted(comm, only(own), options, 1));
            ADD_FAILURE() << word;
        } catch (const ConfigError& error) {
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
        }
    };
    refuse([](BoostingOptions& o) { o.gamma = o.min_split_loss = 1; }, "--min-split-loss");
    refuse([](BoostingOptions& o) { o.early_stopping = 3; }, "--valid");
    refuse([](BoostingOptions& o) { o.monotone = {"narow0=1"}; }, "did you mean 'narrow0'");
    refuse([](BoostingOptions& o) { o.monotone = {"category0=1"}; }, "no order");
    refuse([](BoostingOptions& o) { o.interaction = {"narrow0:nothing"}; }, "nothing");
    refuse([](BoostingOptions& o) { o.max_depth = 0; }, "--max-leaves");
    refuse(
        [](BoostingOptions& o) {
            o.growth = BoostingGrowth::symmetric;
            o.max_leaves = 8;
        },
        "--max-leaves");
    refuse([](BoostingOptions& o) { o.objective.objective = "nonsense"; }, "nonsense");
}

}  // namespace
}  // namespace regrove
