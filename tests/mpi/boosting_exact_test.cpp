// Boosting over all thresholds is the same, byte for byte, on any number of ranks and threads, and what trying them all finds.
#include <algorithm>
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
using train::BoostingSplitPoints;

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

data::TableShard own_share(const data::TableShard& table) { return share(table, world().rank(), world().size()); }

dist::BoostingTables only(data::TableShard shard) { return {std::move(shard), std::nullopt, nullptr}; }

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
        c.options.max_depth = 4;
        c.options.split_points = BoostingSplitPoints::exact;
        change(c);
        all.push_back(c);
    };
    add("logistic", "auto", 2, [](Case&) {});
    add("squared error, best first, rows and columns drawn", "auto", 0, [](Case& c) {
        c.options.growth = BoostingGrowth::lossguide;
        c.options.max_leaves = 12;
        c.options.max_depth = 0;
        c.options.subsample = 0.6;
        c.options.colsample_bytree = 0.8;
        c.options.colsample_bylevel = 0.8;
        c.options.colsample_bynode = 0.8;
    });
    add("softmax, weights, rows of a leaf", "softmax", 3, [](Case& c) {
        c.shape.weighted = c.shape.real_weights = true;
        c.options.min_rows_leaf = 5;
        c.options.max_leaves = 6;
    });
    add("absolute error, few values, no categories", "absolute-error", 0, [](Case& c) {
        c.shape.continuous = false;
        c.shape.categorical = 0;
    });
    add("logistic, gradient sampling, monotone", "logistic", 2, [](Case& c) {
        c.options.sampling = train::BoostingSampling::gradient;
        c.options.monotone = {"narrow0=+1", "wide1=-1"};
    });
    add("squared error, DART, interactions, alpha", "squared-error", 0, [](Case& c) {
        c.options.dart = true;
        c.options.skip_drop = 0.2;
        c.options.drop_rate = 0.4;
        c.options.reg_alpha = 0.1;
        c.options.interaction = {"narrow0:wide1:category0", "whole2:category1"};
        c.options.subsample = 0.8;
    });
    add("categories only", "logistic", 2, [](Case& c) {
        c.shape.numeric = 0;
        c.shape.categorical = 3;
    });
    return all;
}

TEST(ExactBoosting, IsTheSameHoweverItIsSpread) {
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
            const auto grown = grow_boosted(world(), only(own_share(table)), c.options, 42);
            ASSERT_TRUE(formats::write_model(grown.ensemble) == bytes) << threads << " threads";
        }
        set_thread_count(1);
    }
}

TEST(ExactBoosting, GoesOnExactlyWhereItEnded) {
    for (const Case& c : cases()) {
        if (c.options.subsample == 1 && !c.options.dart) continue;
        SCOPED_TRACE(c.name);
        const data::TableShard own = own_share(random_table(c.shape));
        const auto whole = grow_boosted(world(), only(own), c.options, 42);
        BoostingOptions part = c.options;
        part.trees = 2;
        const auto first = grow_boosted(world(), only(own), part, 42);
        const auto second = grow_boosted(world(), {own, std::nullopt, &first.ensemble}, part, 42);
        EXPECT_TRUE(formats::write_model(second.ensemble) == formats::write_model(whole.ensemble));
    }
}

/// Where every value has a bin of its own, both look at the same divisions; nodes hold all values, so that the thresholds stand
/// in the same gaps. The second table is on the packed grid.
TEST(ExactBoosting, EqualsHistogramsOnTablesOfFewValues) {
    for (const std::uint32_t rows : {3000U, 70000U}) {
        SCOPED_TRACE(rows);
        for (Case c : cases()) {
            if (rows > 3000 && c.name != "logistic") continue;
            c.options.trees = 2;
            SCOPED_TRACE(c.name);
            c.shape.rows = rows;
            c.shape.continuous = false;
            c.shape.levels = 4;
            c.options.max_depth = 3;
            if (c.options.growth == BoostingGrowth::lossguide) c.options.max_leaves = 5;
            const data::TableShard own = own_share(random_table(c.shape));
            const auto exact = grow_boosted(world(), only(own), c.options, 7);
            c.options.split_points = BoostingSplitPoints::histogram;
            const auto binned = grow_boosted(world(), only(own), c.options, 7);
            EXPECT_GT(exact.ensemble.trees[0].nodes.size(), 5U);
            EXPECT_TRUE(formats::write_model(exact.ensemble) == formats::write_model(binned.ensemble));
        }
    }
}

TEST(ExactBoosting, LargeTablesWithPackedGradientsAreTheSameToo) {
    const auto alone = comm::make_self_communicator();
    Case c = cases()[0];
    c.shape.rows = 70000;
    c.options.trees = 2;
    c.options.max_depth = 6;
    const data::TableShard table = random_table(c.shape);
    set_thread_count(2);
    const auto expected = formats::write_model(grow_boosted(*alone, only(table), c.options, 1).ensemble);
    const auto grown = grow_boosted(world(), only(own_share(table)), c.options, 1);
    set_thread_count(1);
    EXPECT_TRUE(formats::write_model(grown.ensemble) == expected);
}

TEST(ExactBoosting, MoreRanksThanRows) {
    const auto alone = comm::make_self_communicator();
    Case c = cases()[0];
    c.shape.rows = 3;
    c.shape.missing_share = 0;
    c.options.min_child_weight = 0;
    const data::TableShard table = random_table(c.shape);
    const auto expected = grow_boosted(*alone, only(table), c.options, 1);
    EXPECT_EQ(grow_boosted(world(), only(own_share(table)), c.options, 1).ensemble, expected.ensemble);
}

/// Sums of one side: of squared error at scores of zero, gradients are -y and hessians one.
struct Side {
    double y = 0;
    double rows = 0;

    double score() const { return y * y / (rows + 1); }
};

double cell(const data::TableShard& table, std::size_t feature, std::size_t row) {
    return data::as_double(table.schema.columns[feature].type, table.values[feature], row);
}

double gain_of(const data::TableShard& table, const std::vector<double>& y, const std::vector<std::size_t>& rows,
               std::size_t feature, double threshold, bool missing_right) {
    Side left;
    Side right;
    for (const auto row : rows) {
        const double x = cell(table, feature, row);
        Side& side = (std::isnan(x) ? missing_right : x > threshold) ? right : left;
        side.y += y[row];
        side.rows += 1;
    }
    if (left.rows == 0 || right.rows == 0) return 0;
    const Side all{left.y + right.y, left.rows + right.rows};
    return (left.score() + right.score() - all.score()) / 2;
}

double best_gain(const data::TableShard& table, const std::vector<double>& y, const std::vector<std::size_t>& rows) {
    double best = 0;
    for (std::size_t feature = 0; feature < 3; ++feature) {
        for (const auto row : rows) {
            const double x = cell(table, feature, row);
            if (std::isnan(x)) continue;
            for (const bool missing_right : {false, true}) {
                best = std::max(best, gain_of(table, y, rows, feature, x, missing_right));
            }
        }
    }
    return best;
}

TEST(ExactBoosting, EqualsTryingAllThresholds) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE(seed);
        test::RandomTableShape shape;
        shape.seed = seed;
        shape.rows = 120;
        shape.classes = 0;
        shape.categorical = 0;
        shape.continuous = true;
        const data::TableShard table = random_table(shape);
        const auto label = *table.schema.find(data::ColumnRole::label);
        std::vector<double> y;
        for (std::size_t row = 0; row < table.rows; ++row) y.push_back(cell(table, label, row));
        BoostingOptions options;
        options.objective.objective = "squared-error";
        options.objective.boost_from_average = objective::FirstScores::zero;
        options.split_points = BoostingSplitPoints::exact;
        options.trees = 1;
        options.learning_rate = 1;
        options.max_depth = 4;
        options.min_child_weight = 0;
        const auto grown = grow_boosted(world(), only(own_share(table)), options, 1);
        const model::Tree& tree = grown.ensemble.trees[0];
        std::vector<std::vector<std::size_t>> rows(tree.nodes.size());
        for (std::size_t row = 0; row < table.rows; ++row) rows[0].push_back(row);
        for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
            const model::Node& node = tree.nodes[n];
            ASSERT_EQ(node.rows, rows[n].size());
            if (node.is_leaf()) {
                double sum = 0;
                for (const auto row : rows[n]) sum += y[row];
                EXPECT_NEAR(node.value[0], sum / (static_cast<double>(rows[n].size()) + 1), 1e-9);
                continue;
            }
            const model::Question& q = node.question;
            const bool missing_right = q.missing_side == model::Side::right;
            ASSERT_NEAR(node.gain, best_gain(table, y, rows[n]), 1e-9);
            ASSERT_NEAR(node.gain, gain_of(table, y, rows[n], index(q.feature), q.threshold, missing_right), 1e-9);
            double below = -1e300;
            double above = 1e300;
            double least = 1e300;
            double greatest = -1e300;
            for (const auto row : rows[n]) {
                const double x = cell(table, index(q.feature), row);
                const bool right = std::isnan(x) ? missing_right : x > q.threshold;
                rows[index(right ? node.right : node.left)].push_back(row);
                if (std::isnan(x)) continue;
                (x > q.threshold ? above : below) = x > q.threshold ? std::min(above, x) : std::max(below, x);
                least = std::min(least, x);
                greatest = std::max(greatest, x);
            }
            if (above < 1e300) {
                EXPECT_EQ(q.threshold, below + (above - below) / 2);
            } else {
                EXPECT_TRUE(std::isinf(q.threshold));
            }
            EXPECT_EQ(q.training_low, least);
            EXPECT_EQ(q.training_high, greatest);
        }
    }
}

TEST(ExactBoosting, RefusesWhatNeedsBins) {
    const Case c = cases()[0];
    const data::TableShard own = own_share(random_table(c.shape));
    BoostingOptions symmetric = c.options;
    symmetric.growth = BoostingGrowth::symmetric;
    EXPECT_THROW(static_cast<void>(grow_boosted(world(), only(own), symmetric, 1)), ConfigError);
    BoostingOptions statistics = c.options;
    statistics.target_statistics = train::TargetStatisticsFor::high;
    EXPECT_THROW(static_cast<void>(grow_boosted(world(), only(own), statistics, 1)), ConfigError);
}

}  // namespace
}  // namespace regrove
