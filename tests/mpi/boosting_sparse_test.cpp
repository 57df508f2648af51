// Boosting of sparse rows gives the bytes of the dense table, on any number of ranks and threads.
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/dist/sparse_columns.hpp"
#include "regrove/dist/sparse_rows.hpp"
#include "regrove/dist/table_hash.hpp"
#include "regrove/formats/registry.hpp"

#include "support/mpi_world.hpp"

namespace regrove {
namespace {

using dist::grow_boosted;
using test::world;
using train::BoostingGrowth;
using train::BoostingOptions;

struct Shape {
    std::uint64_t seed = 4;
    std::size_t rows = 260;
    std::uint32_t features = 30;
    std::uint32_t classes = 2;  ///< 0: numbers
    bool weighted = false;
    bool grouped = false;
    bool absent_is_missing = false;
};

double cell_of(const Shape& shape, std::uint32_t f, std::size_t row) {
    const CounterRandom random(shape.seed, 100 + f);
    const double absent = shape.absent_is_missing ? std::nan("") : 0;
    const double share = f % 10 == 3 ? 0.9 : 0.12;
    if (random.uniform(4 * row) >= share) return absent;
    if (!shape.absent_is_missing && random.uniform(4 * row + 1) < 0.05) return std::nan("");
    const double value = random.uniform(4 * row + 2) * 4 - 1;
    if (f % 4 == 0) return std::floor(value);  // zeros among the present ones
    return f % 4 == 1 ? value : static_cast<float>(value);
}

data::TableShard dense_table(const Shape& shape) {
    data::TableShard table;
    table.rows = table.global_rows = shape.rows;
    const auto add = [&](const std::string& name, data::ColumnRole role, data::ColumnType type, auto cells) {
        table.schema.columns.push_back({name, type, role, {}});
        table.values.emplace_back(std::move(cells));
    };
    const CounterRandom random(shape.seed, 1);
    std::vector<std::vector<double>> features(shape.features);
    std::vector<double> label;
    std::vector<double> weight;
    std::vector<std::int32_t> group;
    std::vector<std::int32_t> whole;
    for (std::size_t row = 0; row < shape.rows; ++row) {
        double sum = random.uniform(row);
        for (std::uint32_t f = 0; f < shape.features; ++f) {
            features[f].push_back(cell_of(shape, f, row));
            if (!std::isnan(features[f].back())) sum += features[f].back() * (f % 3 == 0 ? 1 : -0.5);
        }
        label.push_back(sum);
        const double class_count = shape.classes;
        whole.push_back(static_cast<std::int32_t>(std::fmod(std::fabs(sum), std::max(class_count, 1.0))));
        weight.push_back(row % 7 == 0 ? 0 : 1 + static_cast<double>(row % 3) / 2);
        group.push_back(static_cast<std::int32_t>(row / 9));
    }
    if (shape.classes == 0) add("y", data::ColumnRole::label, data::ColumnType::float64, label);
    if (shape.classes != 0) add("y", data::ColumnRole::label, data::ColumnType::int32, whole);
    if (shape.grouped) add("g", data::ColumnRole::group, data::ColumnType::int32, group);
    if (shape.weighted) add("w", data::ColumnRole::weight, data::ColumnType::float64, weight);
    for (std::uint32_t f = 0; f < shape.features; ++f) {
        const std::string name = "x" + std::to_string(f);
        if (f % 4 == 1) {
            add(name, data::ColumnRole::feature, data::ColumnType::float64, features[f]);
        } else {
            add(name, data::ColumnRole::feature, data::ColumnType::float32,
                std::vector<float>(features[f].begin(), features[f].end()));
        }
    }
    return table;
}

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

data::SparseTable sparse(const data::TableShard& shard, bool absent_is_missing) {
    if (!absent_is_missing) return data::make_sparse(shard);
    data::SparseTable table = data::make_sparse(shard);
    data::SparseCells cells = data::make_sparse_cells(table.cells.columns, true);
    const auto features = shard.schema.features();
    for (std::size_t row = 0; row < shard.rows; ++row) {
        for (std::uint32_t f = 0; f < features.size(); ++f)
            cells.add(f, data::as_double(shard.schema.columns[features[f]].type, shard.values[features[f]], row));
        cells.end_row();
    }
    table.cells = std::move(cells);
    return table;
}

dist::BoostingTables dense_tables(data::TableShard training, std::optional<data::TableShard> validation = {},
                                  const model::Ensemble* continued = nullptr) {
    return {std::move(training), std::move(validation), continued};
}

dist::BoostingTables sparse_tables(const data::TableShard& training, bool absent_is_missing,
                                   const std::optional<data::TableShard>& validation = {},
                                   const model::Ensemble* continued = nullptr) {
    dist::BoostingTables tables;
    auto table = sparse(training, absent_is_missing);
    tables.training = std::move(table.rows);
    tables.training_cells = std::move(table.cells);
    tables.continued = continued;
    if (!validation) return tables;
    auto valid = sparse(*validation, absent_is_missing);
    tables.validation = std::move(valid.rows);
    tables.validation_cells = std::move(valid.cells);
    return tables;
}

struct Case {
    std::string name;
    Shape shape;
    BoostingOptions options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const char* name, auto change) {
        Case c;
        c.name = name;
        c.options.trees = 4;
        c.options.max_depth = 3;
        c.options.max_bin = 8;
        change(c);
        all.push_back(c);
    };
    add("logistic", [](Case&) {});
    add("logistic, absent is missing, many bins", [](Case& c) {
        c.shape.absent_is_missing = true;
        c.options.max_bin = 255;
    });
    add("squared error, best first, rows and features drawn", [](Case& c) {
        c.shape.classes = 0;
        c.options.growth = BoostingGrowth::lossguide;
        c.options.max_leaves = 9;
        c.options.max_depth = 0;
        c.options.subsample = 0.6;
        c.options.colsample_bynode = 0.5;
    });
    add("symmetric, weights, rows of weight zero", [](Case& c) {
        c.shape.weighted = true;
        c.options.growth = BoostingGrowth::symmetric;
    });
    add("softmax, rows of leaves", [](Case& c) {
        c.options.objective.objective = "softmax";
        c.shape.classes = 3;
        c.options.min_rows_leaf = 5;
    });
    add("absolute error, gradient sampling", [](Case& c) {
        c.shape.classes = 0;
        c.options.objective.objective = "absolute-error";
        c.options.sampling = train::BoostingSampling::gradient;
    });
    add("DART, monotone, interactions", [](Case& c) {
        c.options.dart = true;
        c.options.skip_drop = 0.2;
        c.options.drop_rate = 0.4;
        c.options.subsample = 0.8;
        c.options.monotone = {"x3=+1", "x1=-1"};
        c.options.interaction = {"x3:x1:x13", "x23:x2:x6"};
    });
    add("ranking", [](Case& c) {
        c.shape.classes = 3;
        c.shape.grouped = true;
        c.options.objective.objective = "lambdamart";
    });
    return all;
}

TEST(BoostingSparse, GivesTheBytesOfTheDenseTable) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const data::TableShard table = dense_table(c.shape);
        const auto expected = grow_boosted(*alone, dense_tables(table), c.options, 42);
        EXPECT_GE(expected.ensemble.trees[0].nodes.size(), 5U);
        const std::string bytes = formats::write_model(expected.ensemble);
        for (const unsigned threads : {1U, 2U}) {
            set_thread_count(threads);
            const auto grown =
                grow_boosted(comm, sparse_tables(share(table, comm.rank(), comm.size()), c.shape.absent_is_missing),
                             c.options, 42);
            EXPECT_TRUE(formats::write_model(grown.ensemble) == bytes) << threads << " threads";
            EXPECT_EQ(grown.rows, c.shape.rows);
        }
        set_thread_count(1);
    }
}

TEST(BoostingSparse, WatchesValidationRowsAndGoesOn) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    for (Case c : cases()) {
        if (c.shape.grouped || c.shape.weighted) continue;
        SCOPED_TRACE(c.name);
        const data::TableShard table = dense_table(c.shape);
        Shape other = c.shape;
        other.seed = 9;
        const data::TableShard valid = dense_table(other);
        const auto own = share(table, comm.rank(), comm.size());
        const auto own_valid = share(valid, comm.rank(), comm.size());
        const auto whole = grow_boosted(*alone, dense_tables(table, valid), c.options, 1, dist::CurveWanted::both);
        BoostingOptions part = c.options;
        part.trees = 2;
        const auto first = grow_boosted(comm, sparse_tables(own, c.shape.absent_is_missing), part, 1);
        const auto second =
            grow_boosted(comm, sparse_tables(own, c.shape.absent_is_missing, own_valid, &first.ensemble), part, 1,
                         dist::CurveWanted::both);
        EXPECT_TRUE(formats::write_model(second.ensemble) == formats::write_model(whole.ensemble));
        ASSERT_EQ(second.curve.points.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(second.curve.points[i].validation, whole.curve.points[i + 2].validation);
            EXPECT_EQ(second.curve.points[i].training, whole.curve.points[i + 2].training);
        }
    }
}

TEST(BoostingSparse, LargeTablesWithPackedGradientsAreTheSameToo) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    Case c = cases()[0];
    c.shape.rows = 70000;
    c.shape.features = 8;
    c.options.max_bin = 200;
    c.options.trees = 2;
    c.options.max_depth = 5;
    const data::TableShard table = dense_table(c.shape);
    set_thread_count(2);
    const auto expected = formats::write_model(grow_boosted(*alone, dense_tables(table), c.options, 1).ensemble);
    const auto grown = grow_boosted(comm, sparse_tables(share(table, comm.rank(), comm.size()), false), c.options, 1);
    set_thread_count(1);
    EXPECT_TRUE(formats::write_model(grown.ensemble) == expected);
}

TEST(BoostingSparse, MoreRanksThanRowsAndFeatures) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    Case c = cases()[0];
    c.shape.rows = 3;
    c.shape.features = 2;
    c.shape.classes = 0;
    c.options.min_child_weight = 0;
    const data::TableShard table = dense_table(c.shape);
    const auto expected = grow_boosted(*alone, dense_tables(table), c.options, 1);
    const auto grown = grow_boosted(comm, sparse_tables(share(table, comm.rank(), comm.size()), false), c.options, 1);
    EXPECT_EQ(grown.ensemble, expected.ensemble);
}

TEST(BoostingSparse, InfiniteValuesAreRefusedOnAllRanks) {
    auto& comm = world();
    data::TableShard table = dense_table({});
    std::get<std::vector<float>>(table.values[1])[200] = std::numeric_limits<float>::infinity();
    EXPECT_THROW(static_cast<void>(grow_boosted(comm, sparse_tables(share(table, comm.rank(), comm.size()), false),
                                                BoostingOptions{}, 1)),
                 Error);
}

TEST(BoostingSparse, TheHashIsThatOfTheDenseTable) {
    auto& comm = world();
    for (const bool absent_is_missing : {false, true}) {
        Shape shape;
        shape.absent_is_missing = absent_is_missing;
        const data::TableShard own = share(dense_table(shape), comm.rank(), comm.size());
        const data::SparseTable table = sparse(own, absent_is_missing);
        const dist::NamedHash hash = dist::table_hash(comm, table.rows, table.cells);
        EXPECT_EQ(hash.name, "data_content_hash");
        EXPECT_EQ(hash.text, dist::table_hash(comm, own));
    }
}

}  // namespace
}  // namespace regrove
