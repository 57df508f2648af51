// Boosting from scores that rows bring with them: what they mean, and the same bytes on any number of ranks.
#include <cmath>
#include <optional>

#include <gmock/gmock.h>
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
using testing::HasSubstr;
using train::BoostingOptions;

/// Uneven shares; with three ranks or more, the last has no rows.
data::TableShard share(const data::TableShard& table, int rank, int ranks) {
    const auto cut = [&](int r) -> std::size_t {
        const int parts = ranks >= 3 ? ranks - 1 : ranks;
        const auto place = static_cast<std::size_t>(std::min(r, parts));
        return table.rows * place * place / static_cast<std::size_t>(parts * parts);
    };
    return data::slice(table, cut(rank), cut(rank + 1));
}

data::TableShard own_share(const data::TableShard& table) { return share(table, world().rank(), world().size()); }

void add_column(data::TableShard& table, const std::string& name, std::vector<double> cells) {
    table.schema.columns.insert(table.schema.columns.begin(),
                                {name, data::ColumnType::float64, data::ColumnRole::feature, {}});
    table.values.insert(table.values.begin(), std::move(cells));
}

data::TableShard table_of(std::uint64_t seed, std::uint32_t classes) {
    test::RandomTableShape shape;
    shape.seed = seed;
    shape.rows = 200;
    shape.classes = classes;
    shape.continuous = true;
    shape.weighted = true;
    return random_table(shape);
}

/// With a column "start" of small multiples of an eighth.
data::TableShard started(std::uint64_t seed, std::uint32_t classes) {
    data::TableShard table = table_of(seed, classes);
    const CounterRandom random(seed, 77);
    std::vector<double> start(table.rows);
    for (std::size_t row = 0; row < start.size(); ++row)
        start[row] = static_cast<double>(random.below(row, 17)) / 8 - 1;
    add_column(table, "start", std::move(start));
    return table;
}

struct Case {
    const char* name;
    const char* objective;
    std::uint32_t classes;
    BoostingOptions options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const char* name, const char* objective, std::uint32_t classes, auto change) {
        Case c{name, objective, classes, {}};
        c.options.objective.objective = objective;
        c.options.trees = 6;
        c.options.max_depth = 3;
        c.options.max_bin = 16;
        change(c.options);
        all.push_back(c);
    };
    add("logistic, rows drawn", "logistic", 2, [](BoostingOptions& o) { o.subsample = 0.7; });
    add("squared error, DART", "squared-error", 0, [](BoostingOptions& o) {
        o.dart = true;
        o.skip_drop = 0.1;
        o.drop_rate = 0.4;
    });
    add("absolute error, refitted leaves", "absolute-error", 0, [](BoostingOptions&) {});
    add("logistic, target statistics", "logistic", 2,
        [](BoostingOptions& o) { o.target_statistics = train::TargetStatisticsFor::all; });
    add("squared error, exact split points", "squared-error", 0,
        [](BoostingOptions& o) { o.split_points = train::BoostingSplitPoints::exact; });
    return all;
}

/// Keeps the state after each round, in memory, and stops after some rounds.
class MemoryKeeper final : public dist::BoostingKeeper {
  public:
    explicit MemoryKeeper(std::uint64_t rounds) : rounds_(rounds) {}
    const dist::BoostingState* resumed() const override { return resumed_ ? &*resumed_ : nullptr; }
    bool stop_after(std::uint64_t rounds, const std::function<dist::BoostingState()>& make_state) override {
        if (rounds != rounds_) return false;
        kept_ = make_state();
        return true;
    }
    void take_up() { resumed_ = kept_; }

  private:
    std::uint64_t rounds_;
    std::optional<dist::BoostingState> kept_;
    std::optional<dist::BoostingState> resumed_;
};

TEST(InitialScores, AreTheSameHoweverRowsAreSpread) {
    const auto alone = comm::make_self_communicator();
    for (Case& c : cases()) {
        SCOPED_TRACE(c.name);
        c.options.initial_score = "start";
        const auto table = started(1, c.classes);
        const auto valid = started(2, c.classes);
        const auto expected = grow_boosted(*alone, {table, valid, nullptr}, c.options, 3, dist::CurveWanted::both);
        EXPECT_EQ(expected.ensemble.initial_scores, std::vector<double>{0.0});
        for (const model::Feature& feature : expected.ensemble.features) EXPECT_NE(feature.name, "start");
        const auto grown = grow_boosted(world(), {own_share(table), own_share(valid), nullptr}, c.options, 3,
                                        dist::CurveWanted::both);
        EXPECT_TRUE(formats::write_model(grown.ensemble) == formats::write_model(expected.ensemble));
        ASSERT_EQ(grown.curve.points.size(), 6U);
        for (std::size_t i = 0; i < 6; ++i) {
            EXPECT_EQ(grown.curve.points[i].training, expected.curve.points[i].training);
            EXPECT_EQ(grown.curve.points[i].validation, expected.curve.points[i].validation);
        }
    }
}

TEST(InitialScores, AConstantColumnIsTheConstantThatFitsBest) {
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const auto plain =
            grow_boosted(world(), {own_share(table_of(1, c.classes)), std::nullopt, nullptr}, c.options, 3);
        data::TableShard table = table_of(1, c.classes);
        add_column(table, "start", std::vector<double>(table.rows, plain.ensemble.initial_scores[0]));
        BoostingOptions options = c.options;
        options.initial_score = "start";
        const auto grown = grow_boosted(world(), {own_share(table), std::nullopt, nullptr}, options, 3);
        EXPECT_TRUE(grown.ensemble.trees == plain.ensemble.trees);
        EXPECT_EQ(grown.ensemble.features, plain.ensemble.features);
    }
}

TEST(InitialScores, GoOnExactlyWhereARunEnded) {
    for (Case& c : cases()) {
        SCOPED_TRACE(c.name);
        c.options.initial_score = "start";
        const auto own = own_share(started(1, c.classes));
        const auto valid = own_share(started(2, c.classes));
        const auto whole = grow_boosted(world(), {own, valid, nullptr}, c.options, 3);
        BoostingOptions part = c.options;
        part.trees = 3;
        const auto first = grow_boosted(world(), {own, valid, nullptr}, part, 3);
        const auto second = grow_boosted(world(), {own, valid, &first.ensemble}, part, 3);
        EXPECT_TRUE(formats::write_model(second.ensemble) == formats::write_model(whole.ensemble));
        EXPECT_EQ(second.curve.points.back().validation, whole.curve.points.back().validation);
        MemoryKeeper keeper(2);
        static_cast<void>(grow_boosted(world(), {own, valid, nullptr, &keeper}, c.options, 3));
        keeper.take_up();
        const auto resumed = grow_boosted(world(), {own, valid, nullptr, &keeper}, c.options, 3);
        EXPECT_TRUE(formats::write_model(resumed.ensemble) == formats::write_model(whole.ensemble));
        EXPECT_EQ(resumed.curve.points.back().validation, whole.curve.points.back().validation);
    }
}

/// Counts of exposure e at rate 0.5 or 2, by x, as they are expected: log e is what a row's score begins at.
TEST(InitialScores, TheLogOfAnExposureLeavesRatesToTheTrees) {
    std::vector<double> x;
    std::vector<double> label;
    std::vector<double> start;
    for (int row = 0; row < 60; ++row) {
        const double exposure = 1 + row % 10;
        x.push_back(row % 3);
        label.push_back(exposure * (row % 3 == 2 ? 2 : 0.5));
        start.push_back(std::log(exposure));
    }
    data::TableShard table;
    table.rows = table.global_rows = label.size();
    add_column(table, "x", std::move(x));
    add_column(table, "start", std::move(start));
    table.schema.columns.push_back({"y", data::ColumnType::float64, data::ColumnRole::label, {}});
    table.values.emplace_back(std::move(label));
    BoostingOptions options;
    options.objective.objective = "poisson";
    options.initial_score = "start";
    options.trees = 40;
    options.learning_rate = 1;
    options.reg_lambda = 0;
    options.max_depth = 1;
    const auto grown = grow_boosted(world(), {own_share(table), std::nullopt, nullptr}, options, 1);
    double low = 0;
    double high = 0;
    for (const model::Tree& tree : grown.ensemble.trees) {
        const model::Node& root = tree.nodes[0];
        low += root.is_leaf() ? root.value[0] : tree.node(root.left).value[0];
        high += root.is_leaf() ? root.value[0] : tree.node(root.right).value[0];
    }
    EXPECT_NEAR(std::exp(low), 0.5, 1e-4);
    EXPECT_NEAR(std::exp(high), 2, 4e-4);
}

/// Labels are the initial scores themselves: nothing is left to learn, and the metrics know it.
TEST(InitialScores, AreWhatMetricsAreTakenOf) {
    data::TableShard table = table_of(1, 0);
    const auto label = *table.schema.find(data::ColumnRole::label);
    add_column(table, "start", std::get<std::vector<double>>(table.values[label]));
    BoostingOptions options;
    options.objective.objective = "squared-error";
    options.initial_score = "start";
    options.trees = 2;
    const auto grown =
        grow_boosted(world(), {own_share(table), own_share(table), nullptr}, options, 1, dist::CurveWanted::both);
    for (const dist::LearningPoint& point : grown.curve.points) {
        EXPECT_EQ(point.training, 0);
        EXPECT_EQ(point.validation, 0);
    }
}

std::string refusal(data::TableShard table, std::optional<data::TableShard> valid, const BoostingOptions& options) {
    try {
        static_cast<void>(grow_boosted(world(), {std::move(table), std::move(valid), nullptr}, options, 1));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(InitialScores, RefuseWhatCannotBeOnAllRanks) {
    BoostingOptions options;
    options.trees = 1;
    options.initial_score = "start";
    auto table = started(1, 2);
    EXPECT_THAT(refusal(own_share(table), own_share(table_of(2, 2)), options),
                HasSubstr("validation rows: the table has no column 'start'"));
    std::get<std::vector<double>>(table.values[0])[150] = std::nan("");
    EXPECT_THAT(refusal(own_share(table), std::nullopt, options), HasSubstr("training rows: row 150 (from zero)"));
    EXPECT_THAT(refusal(own_share(started(1, 2)), own_share(table), options),
                HasSubstr("validation rows: row 150 (from zero)"));
    EXPECT_THAT(refusal(own_share(started(1, 3)), std::nullopt, options), HasSubstr("softmax has 3 (one a class)"));
    options.objective.boost_from_average = objective::FirstScores::average;
    EXPECT_THAT(refusal(own_share(started(1, 2)), std::nullopt, options), HasSubstr("--boost-from-average yes"));
}

}  // namespace
}  // namespace regrove
