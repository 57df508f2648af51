// Bins kept in a file are those of the table in memory, and give the same models, on any number of ranks.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/bin_table.hpp"
#include "regrove/dist/boosting_grower.hpp"
#include "regrove/dist/keep_bins.hpp"
#include "regrove/dist/table_hash.hpp"
#include "regrove/formats/registry.hpp"
#include "regrove/store/binned_file.hpp"

#include "support/mpi_world.hpp"
#include "support/random_table.hpp"
#include "support/shared_folder.hpp"

namespace regrove {
namespace {

using dist::grow_boosted;
using test::world;
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
data::TableShard own_share(const data::TableShard& table) { return share(table, world().rank(), world().size()); }

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

dist::KeptBins keep(comm::Communicator& comm, const data::TableShard& own, const std::string& path,
                    const dist::StreamedBinning& options, std::uint64_t chunk_rows = 37) {
    const auto source = dist::shard_chunks(comm, own, chunk_rows);
    return dist::keep_bins(comm, *source, path, options);
}

/// The model of the whole table, grown by this rank alone.
std::string model_of_table(const data::TableShard& table, const BoostingOptions& options) {
    const auto alone = comm::make_self_communicator();
    return formats::write_model(grow_boosted(*alone, {table, std::nullopt, nullptr}, options, 42).ensemble);
}
std::string model_of_bins(const std::string& path, const BoostingOptions& options,
                          const model::Ensemble* continued = nullptr) {
    store::BinnedFile kept(world(), path);
    dist::BoostingTables tables;
    tables.training = kept.read_roles();
    tables.kept = &kept;
    tables.continued = continued;
    return formats::write_model(grow_boosted(world(), std::move(tables), options, 42).ensemble);
}

/// Rows in groups of one to seven, with relevances.
data::TableShard ranked_table(std::uint32_t rows) {
    test::RandomTableShape shape;
    shape.rows = rows;
    shape.classes = 0;
    data::TableShard table = random_table(shape);
    const CounterRandom random(9, 0);
    std::vector<std::int32_t> groups(rows);
    auto& label = std::get<std::vector<double>>(table.values.back());
    for (std::uint32_t row = 0; row < rows; ++row) {
        label[row] = static_cast<double>(random.below(row, 4));
        groups[row] = row == 0 ? 5 : groups[row - 1] + (random.below(rows + row, 4) == 0 ? 3 : 0);
    }
    table.schema.columns.push_back({"query", data::ColumnType::int32, data::ColumnRole::group, {}});
    table.values.emplace_back(std::move(groups));
    return table;
}

struct Case {
    std::string name;
    data::TableShard table;
    BoostingOptions options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const char* name, const char* objective, data::TableShard table, auto change) {
        Case c{name, std::move(table), {}};
        c.options.objective.objective = objective;
        c.options.trees = 4;
        c.options.max_depth = 3;
        c.options.max_bin = 16;
        change(c.options);
        all.push_back(std::move(c));
    };
    test::RandomTableShape shape;
    shape.rows = 300;
    shape.continuous = true;
    add("logistic", "auto", random_table(shape), [](BoostingOptions&) {});
    shape.weighted = shape.real_weights = true;
    add("weights and drawn rows", "logistic", random_table(shape), [](BoostingOptions& o) {
        o.subsample = 0.7;
        o.scale_pos_weight = 3;
    });
    shape.classes = 3;
    shape.weighted = false;
    add("softmax, class weights", "softmax", random_table(shape),
        [](BoostingOptions& o) { o.class_weight = {"balanced"}; });
    shape.classes = 0;
    shape.weighted = true;
    shape.real_weights = false;
    add("numbers, some rows of weight zero, many bins", "auto", random_table(shape),
        [](BoostingOptions& o) { o.max_bin = 300; });
    add("quantiles of leaves, DART", "absolute-error", random_table(shape), [](BoostingOptions& o) {
        o.dart = true;
        o.skip_drop = 0.2;
    });
    add("ranking", "lambdamart", ranked_table(200), [](BoostingOptions&) {});
    return all;
}

TEST(KeptBins, GiveTheModelOfTheTable) {
    const test::SharedFolder folder;
    const std::string path = folder.path("kept.h5");
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const std::string expected = model_of_table(c.table, c.options);
        const dist::KeptBins kept = keep(world(), own_share(c.table), path, {c.options.max_bin, 0, 1});
        EXPECT_EQ(kept.rows, c.table.rows);
        EXPECT_EQ(kept.table_hash, dist::table_hash(*comm::make_self_communicator(), c.table));
        for (const unsigned threads : {1U, 2U}) {
            set_thread_count(threads);
            ASSERT_TRUE(model_of_bins(path, c.options) == expected) << threads << " threads";
        }
        set_thread_count(1);
    }
}

TEST(KeptBins, GoOnWhereAModelEnded) {
    const test::SharedFolder folder;
    const std::string path = folder.path("kept.h5");
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        keep(world(), own_share(c.table), path, {c.options.max_bin, 0, 1});
        BoostingOptions half = c.options;
        half.trees = 2;
        const model::Ensemble first = formats::parse_model(model_of_bins(path, half), "first");
        EXPECT_TRUE(model_of_bins(path, half, &first) == model_of_table(c.table, c.options));
    }
}

TEST(KeptBins, AreTheSameFileOnAnyNumberOfRanksInAnyChunks) {
    const test::SharedFolder folder;
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        for (const std::uint64_t sample : {std::uint64_t{0}, std::uint64_t{100}}) {
            keep(world(), own_share(c.table), folder.path("ranks.h5"), {c.options.max_bin, sample, 1});
            if (world().is_root()) {
                const auto alone = comm::make_self_communicator();
                keep(*alone, c.table, folder.path("alone.h5"), {c.options.max_bin, sample, 1}, 1000);
                EXPECT_TRUE(bytes_of(folder.path("ranks.h5")) == bytes_of(folder.path("alone.h5")));
            }
            world().barrier();
        }
    }
}

TEST(KeptBins, AreThoseOfTheTableInMemory) {
    const test::SharedFolder folder;
    test::RandomTableShape shape;
    shape.rows = 500;
    shape.numeric = 6;
    shape.continuous = true;
    shape.weighted = true;
    const data::TableShard table = random_table(shape);
    keep(world(), own_share(table), folder.path("kept.h5"), {20, 0, 1});
    const auto alone = comm::make_self_communicator();
    const dist::TrainingSet set = dist::make_training_set(*alone, table, {});
    const binning::BinnedTable expected = dist::bin_table(*alone, set, 20);
    store::BinnedFile kept(world(), folder.path("kept.h5"));
    EXPECT_EQ(kept.info().bins, expected.bins);
    EXPECT_EQ(kept.info().features, set.features);
    EXPECT_EQ(kept.info().notes.quantile_rows, 500U);
    const auto tiles = binning::plan_tiles(expected.bins);
    for (std::size_t t = 0; t < tiles.size(); ++t) {
        std::vector<std::uint8_t> laid(500 * tiles[t].stride_bytes);
        std::vector<std::uint8_t> read(laid.size());
        binning::lay_rows(tiles[t], expected.codes, 0, 500, laid.data());
        kept.read_tile(t, 0, 500, read.data());
        EXPECT_EQ(read, laid);
    }
}

/// Shares of the rows at or below each boundary beside what they should be.
double worst_share(const std::vector<double>& values, const binning::Bins& bins) {
    double worst = 0;
    for (std::uint32_t bin = 0; bin < bins.count; ++bin) {
        const auto below =
            std::count_if(values.begin(), values.end(), [&](double value) { return value <= bins.high[bin]; });
        const double share = static_cast<double>(below) / static_cast<double>(values.size());
        worst = std::max(worst, std::fabs(share - (bin + 1.0) / bins.count));
    }
    return worst;
}

TEST(KeptBins, QuantilesOfASampleKeepTheStatedRankError) {
    const test::SharedFolder folder;
    const std::uint32_t rows = 20000;
    test::RandomTableShape shape;
    shape.rows = rows;
    shape.continuous = true;
    shape.missing_share = 0;
    data::TableShard table = random_table(shape);
    // A value that one row in a thousand has, and one that a single row has: both need a bin of their own.
    std::vector<double> rare(rows, 1.0);
    for (std::uint32_t row = 0; row < rows; row += 1000) rare[row] = 2.0;
    rare[777] = 3.0;
    table.schema.columns.push_back({"rare", data::ColumnType::float64, data::ColumnRole::feature, {}});
    table.values.emplace_back(std::move(rare));
    const dist::KeptBins made = keep(world(), own_share(table), folder.path("kept.h5"), {50, 2000, 3}, 4096);
    const double sampled = static_cast<double>(made.quantile_rows);
    EXPECT_NEAR(sampled, 2000, 5 * std::sqrt(2000));
    const store::BinnedFile kept(world(), folder.path("kept.h5"));
    const auto& wide = std::get<std::vector<double>>(table.values[1]);
    const binning::Bins& bins = kept.info().bins[1];
    ASSERT_EQ(bins.count, 50U);
    const double bound = std::sqrt(std::log(2 / 1e-6) / (2 * sampled));
    EXPECT_LT(worst_share(wide, bins), bound);
    EXPECT_GT(worst_share(wide, bins), 0);
    EXPECT_EQ(bins.high.back(), *std::max_element(wide.begin(), wide.end()));
    EXPECT_EQ(bins.low.front(), *std::min_element(wide.begin(), wide.end()));
    for (std::uint32_t bin = 1; bin < bins.count; ++bin) ASSERT_GT(bins.low[bin], bins.high[bin - 1]);
    EXPECT_EQ(kept.info().bins.back().high, (std::vector<double>{1, 2, 3}));
}

template <class Wrong>
void expect_refused(const std::string& path, const BoostingOptions& options, const std::string& word) {
    try {
        static_cast<void>(model_of_bins(path, options));
        ADD_FAILURE() << word;
    } catch (const Wrong& error) {
        EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
}

TEST(KeptBins, OptionsThatTheyDoNotFitAreRefusedByName) {
    const test::SharedFolder folder;
    const std::string path = folder.path("kept.h5");
    const Case c = std::move(cases()[0]);
    keep(world(), own_share(c.table), path, {16, 0, 1});
    BoostingOptions options = c.options;
    options.max_bin = 17;
    expect_refused<ConfigError>(path, options, "give --max-bin 16");
    options = c.options;
    options.class_weight = {"k0=0", "k1=1"};
    expect_refused<Error>(path, options, "");
    const Case classes = std::move(cases()[2]);
    keep(world(), own_share(classes.table), path, {16, 0, 1});
    options = classes.options;
    options.class_weight = {"k0=0"};
    expect_refused<ConfigError>(path, options, "--class-weight");
}

TEST(KeptBins, DamageShowsOnAllRanks) {
    const test::SharedFolder folder;
    const std::string path = folder.path("kept.h5");
    const Case c = std::move(cases()[0]);
    keep(world(), own_share(c.table), path, {16, 0, 1});
    const std::string good = bytes_of(path);
    const auto spoil = [&](const std::string& bytes) {
        world().barrier();
        if (world().is_root()) std::ofstream(path, std::ios::binary) << bytes;
        world().barrier();
    };
    // Five features of 8 bits: 8 bytes a row.
    store::BinnedFile kept(world(), path);
    std::vector<std::uint8_t> first(64);
    kept.read_tile(0, 0, 8, first.data());
    const std::size_t codes = good.find(std::string(first.begin(), first.end()));
    ASSERT_NE(codes, std::string::npos);
    std::string bad = good;
    bad[codes + 8 * 123] = static_cast<char>(bad[codes + 8 * 123] ^ 1);
    spoil(bad);
    expect_refused<FormatError>(path, c.options, "the codes in 'codes/0'");
    spoil(good.substr(0, good.size() - 100));
    expect_refused<Error>(path, c.options, "damaged or truncated");
    spoil(good);
    EXPECT_FALSE(model_of_bins(path, c.options).empty());
}

}  // namespace
}  // namespace regrove
