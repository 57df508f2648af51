// Ordered target statistics are those of rows before each, on any number of ranks, and leak no row's own label.
#include "regrove/dist/target_statistics.hpp"

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/infer/predictor.hpp"

#include "support/mpi_world.hpp"
#include "support/random_table.hpp"

namespace regrove {
namespace {

using dist::grow_boosted;
using test::world;
using train::BoostingOptions;
using train::TargetStatisticsFor;

/// Uneven shares; with two ranks or more, rank 1 has no rows.
data::TableShard share(const data::TableShard& table, int rank, int ranks) {
    const auto cut = [&](int r) -> std::size_t {
        if (r == 0) return 0;
        if (r >= ranks || (ranks == 2 && r == 1)) return table.rows;
        if (r == 2) r = 1;
        return table.rows * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks);
    };
    return data::slice(table, cut(rank), cut(rank + 1));
}

dist::BoostingTables only(data::TableShard shard) { return {std::move(shard), std::nullopt, nullptr}; }

/// Cells of a small table: two category features, labels and weights.
struct Small {
    static constexpr std::uint64_t k_rows = 200;
    static std::uint32_t category(std::size_t row, std::uint32_t f) {
        return static_cast<std::uint32_t>(CounterRandom(3, f).below(row, 10));  // 9: no value
    }
    static double label(std::size_t row) { return static_cast<double>(CounterRandom(3, 7).below(row, 2)); }
    static double weight(std::size_t row) { return static_cast<double>(CounterRandom(3, 8).below(row, 4)) * 0.5; }
};

TEST(TargetStatistics, AreThoseOfTheRowsBefore) {
    auto& comm = world();
    const auto rank = static_cast<std::size_t>(comm.rank());
    const auto ranks = static_cast<std::size_t>(comm.size());
    const std::size_t begin = Small::k_rows * rank * rank / (ranks * ranks);
    const std::size_t end = Small::k_rows * (rank + 1) * (rank + 1) / (ranks * ranks);
    dist::BoostingSet set;
    binning::BinnedTable binned;
    binned.rows = end - begin;
    set.global_rows = Small::k_rows;
    set.first_row = begin;
    objective::ObjectiveOptions logistic;
    logistic.objective = "logistic";
    set.objective = objective::make_objective(logistic, 2);
    for (std::uint32_t f = 0; f < 2; ++f) {
        std::vector<std::uint8_t> codes;
        for (std::size_t row = begin; row < end; ++row) {
            codes.push_back(static_cast<std::uint8_t>(Small::category(row, f)));
        }
        set.features.emplace_back();
        set.features.back().name = "f" + std::to_string(f);
        set.features.back().kind = model::FeatureKind::category;
        for (int c = 0; c < 9; ++c) set.features.back().categories.push_back(std::to_string(c));
        binned.bins.push_back({true, 9, {}, {}});
        binned.codes.emplace_back(std::move(codes));
    }
    std::vector<double> labels;
    std::vector<double> weights;
    for (std::size_t row = begin; row < end; ++row) {
        labels.push_back(Small::label(row));
        weights.push_back(Small::weight(row));
    }
    set.rows.labels = NarrowNumbers(labels);
    set.rows.weights = NarrowNumbers(weights);
    BoostingOptions options;
    options.target_statistics = TargetStatisticsFor::all;
    options.target_statistics_orders = 2;
    options.target_statistics_prior = 3;
    const auto statistics = dist::take_target_statistics(comm, set, options, 11, binned);
    ASSERT_TRUE(statistics != nullptr);
    train::BoostingTable table(std::move(binned));
    double weight = 0;
    double positive = 0;
    double rows_that_count = 0;
    for (std::size_t row = 0; row < Small::k_rows; ++row) {
        weight += Small::weight(row);
        positive += Small::weight(row) * Small::label(row);
        rows_that_count += Small::weight(row) > 0 ? 1 : 0;
    }
    const double prior = positive / weight;
    const double prior_weight = 3 * weight / rows_that_count;
    for (std::uint32_t round = 0; round < 5; ++round) {
        statistics->show(table, round, 0);
        const KeyedPermutation order = dist::statistic_order(11, round % 2, Small::k_rows);
        for (std::uint32_t f = 0; f < 2; ++f) {
            const train::StatisticBins& bins = statistics->features()[f].channels[0];
            const train::CodeColumn& codes = table.column(f);
            for (std::size_t row = begin; row < end; ++row) {
                const std::uint32_t category = Small::category(row, f);
                if (category == 9) {
                    ASSERT_EQ(codes[row - begin], table.bins(f).missing_code());
                    continue;
                }
                double sum = 0;
                double count = 0;
                for (std::size_t other = 0; other < Small::k_rows; ++other) {
                    if (Small::category(other, f) != category || order(other) >= order(row)) continue;
                    count += Small::weight(other);
                    sum += Small::weight(other) * Small::label(other);
                }
                const double statistic = (sum + prior_weight * prior) / (count + prior_weight);
                ASSERT_EQ(codes[row - begin], bins.code(statistic)) << "row " << row << ", feature " << f;
            }
        }
    }
}

struct Case {
    std::string name;
    test::RandomTableShape shape;
    BoostingOptions options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const char* name, std::uint32_t classes, auto change) {
        Case c;
        c.name = name;
        c.shape.seed = 6;
        c.shape.rows = 300;
        c.shape.classes = classes;
        c.shape.levels = 40;
        c.options.trees = 4;
        c.options.max_depth = 3;
        c.options.target_statistics = TargetStatisticsFor::all;
        c.options.target_statistics_orders = 2;
        change(c);
        all.push_back(c);
    };
    add("two classes, rows drawn, interactions", 2, [](Case& c) {
        c.options.subsample = 0.6;
        c.options.colsample_bynode = 0.7;
        c.options.interaction = {"narrow0:wide1:category0", "whole2:category1"};
    });
    add("numbers, weights, best first, few bins", 0, [](Case& c) {
        c.shape.weighted = c.shape.real_weights = true;
        c.options.growth = train::BoostingGrowth::lossguide;
        c.options.max_leaves = 9;
        c.options.max_bin = 6;
    });
    add("three classes, DART, no value missing", 3, [](Case& c) {
        c.shape.missing_share = 0;
        c.options.dart = true;
        c.options.skip_drop = 0.2;
        c.options.drop_rate = 0.4;
        c.options.subsample = 0.7;
    });
    add("absolute error, symmetric, some features only", 0, [](Case& c) {
        c.options.objective.objective = "absolute-error";
        c.options.growth = train::BoostingGrowth::symmetric;
        c.options.target_statistics = TargetStatisticsFor::high;
        c.options.target_statistics_above = 39;
    });
    add("gradient sampling, class weights", 2, [](Case& c) {
        c.options.sampling = train::BoostingSampling::gradient;
        c.options.class_weight = {"balanced"};
        c.options.scale_pos_weight = 2;
        c.options.min_rows_leaf = 5;
    });
    return all;
}

TEST(TargetStatistics, GrowTheSameTreesHoweverRowsAreSpread) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const data::TableShard table = random_table(c.shape);
        set_thread_count(1);
        const auto expected = grow_boosted(*alone, only(table), c.options, 42);
        std::size_t sets = 0;
        for (const auto& tree : expected.ensemble.trees) {
            for (const auto& node : tree.nodes) sets += node.question.kind == model::QuestionKind::category ? 1 : 0;
        }
        EXPECT_GT(sets, 0U);
        const std::string bytes = formats::write_model(expected.ensemble);
        for (const unsigned threads : {1U, 2U}) {
            set_thread_count(threads);
            const auto grown = grow_boosted(comm, only(share(table, comm.rank(), comm.size())), c.options, 42);
            ASSERT_TRUE(formats::write_model(grown.ensemble) == bytes) << threads << " threads";
        }
        set_thread_count(1);
    }
}

TEST(TargetStatistics, GoOnExactlyWhereTheyEnded) {
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
        EXPECT_TRUE(formats::write_model(second.ensemble) == formats::write_model(whole.ensemble));
    }
}

TEST(TargetStatistics, RefuseToGoOnFromOtherRows) {
    auto& comm = world();
    Case c = cases().front();
    const auto first =
        grow_boosted(comm, only(share(random_table(c.shape), comm.rank(), comm.size())), c.options, 42);
    data::TableShard other = random_table(c.shape);
    for (auto& label : std::get<std::vector<std::int32_t>>(other.values.back())) label = 1 - label;
    const auto own = share(other, comm.rank(), comm.size());
    EXPECT_THROW(grow_boosted(comm, {own, std::nullopt, &first.ensemble}, c.options, 42), Error);
}

/// Labels of three categories near the smallest number that there is: 1, 2 and 4 times 1e-310.
TEST(TargetStatistics, OfTheSmallestNumbersAreStillTheirMeans) {
    auto& comm = world();
    const auto ranks = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    const std::size_t begin = 60 * rank / ranks;
    const std::size_t end = 60 * (rank + 1) / ranks;
    dist::BoostingSet set;
    binning::BinnedTable binned;
    binned.rows = end - begin;
    set.task = model::Task::regression;
    set.global_rows = 60;
    set.first_row = begin;
    objective::ObjectiveOptions squared;
    squared.objective = "squared-error";
    set.objective = objective::make_objective(squared, 0);
    std::vector<double> labels;
    std::vector<std::uint8_t> codes;
    for (std::size_t row = begin; row < end; ++row) {
        codes.push_back(static_cast<std::uint8_t>(row % 3));
        labels.push_back(1e-310 * static_cast<double>(1U << (row % 3)));
    }
    set.rows.labels = NarrowNumbers(labels);
    set.features.push_back({"f", model::FeatureKind::category, {}, {"a", "b", "c"}});
    binned.bins.push_back({true, 3, {}, {}});
    binned.codes.emplace_back(std::move(codes));
    BoostingOptions options;
    options.target_statistics = TargetStatisticsFor::all;
    const auto statistics = dist::take_target_statistics(comm, set, options, 1, binned);
    const std::vector<double>& high = statistics->features()[0].channels[0].high;
    ASSERT_EQ(high.size(), 3U);
    // Twenty rows each, and one row more of the mean of all, 7/3.
    for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(high[c] / 1e-310, (20.0 * static_cast<double>(1U << c) + 7.0 / 3) / 21, 1e-9) << c;
}

/// Two rows a category, which decides their label; of every tenth, the second row's is the other one.
data::TableShard of_many_categories(std::uint32_t categories) {
    data::TableShard table;
    table.rows = table.global_rows = 2 * std::uint64_t{categories};
    data::ColumnSchema id{"id", data::ColumnType::category, data::ColumnRole::feature, {}};
    data::ColumnSchema label{"y", data::ColumnType::category, data::ColumnRole::label, {"no", "yes"}};
    const CounterRandom random(9, 1);
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> labels;
    for (std::uint32_t c = 0; c < categories; ++c) id.categories.push_back(std::to_string(c));
    for (std::uint32_t row = 0; row < 2 * categories; ++row) {
        ids.push_back(static_cast<std::int32_t>(row % categories));
        const auto drawn = static_cast<std::int32_t>(random.below(row % categories, 2));
        labels.push_back(row % categories % 10 == 0 && row >= categories ? 1 - drawn : drawn);
    }
    table.schema.columns = {id, label};
    table.values = {std::move(ids), std::move(labels)};
    return table;
}

TEST(TargetStatistics, OfMoreCategoriesThanSixteenBits) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    const data::TableShard table = of_many_categories(70000);
    BoostingOptions options;
    options.trees = 2;
    options.max_depth = 1;
    options.learning_rate = 0.5;
    options.target_statistics = TargetStatisticsFor::high;
    options.target_statistics_orders = 2;
    const auto grown = grow_boosted(comm, only(share(table, comm.rank(), comm.size())), options, 42);
    const infer::Predictor predictor(grown.ensemble, table.schema);
    const auto classes = predictor.classes(predictor.leaves(table));
    const auto& labels = std::get<std::vector<std::int32_t>>(table.values[1]);
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < labels.size(); ++row)
        wrong += row % 70000 % 10 != 0 && classes[row] != labels[row] ? 1 : 0;
    EXPECT_EQ(wrong, 0U) << "the statistics of all rows tell the label of a category that has one";
    if (comm.size() == 1) return;
    const auto expected = grow_boosted(*alone, only(table), options, 42);
    EXPECT_TRUE(grown.ensemble == expected.ensemble);
}

/// Labels by the sign of a noisy number; `ids` random ids among the rows, or none.
data::TableShard with_ids(std::uint64_t seed, std::size_t rows, std::uint32_t ids) {
    test::RandomTableShape shape;
    shape.seed = seed;
    shape.rows = static_cast<std::uint32_t>(rows);
    shape.categorical = 0;
    shape.continuous = true;
    shape.missing_share = 0;
    data::TableShard table = random_table(shape);
    const CounterRandom noise(seed, 77);
    auto& labels = std::get<std::vector<std::int32_t>>(table.values.back());
    const auto& wide = std::get<std::vector<double>>(table.values[1]);
    for (std::size_t row = 0; row < rows; ++row) labels[row] = wide[row] * 10 + noise.normal(row) > 0 ? 1 : 0;
    if (ids == 0) return table;
    data::ColumnSchema column{"id", data::ColumnType::category, data::ColumnRole::feature, {}};
    for (std::uint32_t id = 0; id < ids; ++id) column.categories.push_back(std::to_string(id));
    std::vector<std::int32_t> codes(rows);
    const CounterRandom random(seed, 78);
    for (std::size_t row = 0; row < rows; ++row) codes[row] = static_cast<std::int32_t>(random.below(row, ids));
    table.schema.columns.insert(table.schema.columns.begin(), column);
    table.values.insert(table.values.begin(), std::move(codes));
    return table;
}

/// The mean over five seeds of the validation AUC after 30 rounds.
double mean_auc(std::uint32_t ids, TargetStatisticsFor statistics) {
    BoostingOptions options;
    options.trees = 30;
    options.max_depth = 4;
    options.metric = "roc_auc";
    options.target_statistics = statistics;
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const data::TableShard all = with_ids(seed, 1600, ids);
        dist::BoostingTables tables;
        tables.training = data::slice(all, 0, 800);
        tables.validation = data::slice(all, 800, 1600);
        const auto alone = comm::make_self_communicator();
        sum += grow_boosted(*alone, std::move(tables), options, seed).curve.points.back().validation;
    }
    return sum / 5;
}

TEST(TargetStatistics, RandomIdsTeachNothing) {
    const double without = mean_auc(0, TargetStatisticsFor::none);
    EXPECT_GT(without, 0.7);
    int turn = 0;  // ranks share the tables out
    for (const std::uint32_t ids : {4000U, 800U, 200U}) {
        if (turn++ % world().size() != world().rank()) continue;
        const double with = mean_auc(ids, TargetStatisticsFor::high);
        EXPECT_LE(with, without + 0.003) << ids << " ids";
        EXPECT_GE(with, without - 0.02) << ids << " ids";
    }
}

}  // namespace
}  // namespace regrove
