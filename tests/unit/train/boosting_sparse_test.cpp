// Sparse columns grow the very trees that dense codes of the same table grow.
#include <numeric>

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/train/boosting_tree_grower.hpp"

#include "support/boosting_tables.hpp"

namespace regrove::train {
namespace {

struct SparseShape {
    std::size_t rows = 400;
    std::uint32_t features = 40;
    double present_share = 0.1;
    std::uint64_t seed = 3;
};

/// The code of absent cells: "no value" for every third feature, else some bin.
std::uint32_t absent_code(std::uint32_t feature, std::uint32_t bins) {
    return feature % 3 == 2 ? bins : feature % bins;
}
std::uint32_t bins_of(std::uint32_t feature) { return feature % 5 == 4 ? 1 : 2 + feature % 9; }

binning::BinnedTable mostly_absent(const SparseShape& shape) {
    binning::BinnedTable table;
    table.rows = shape.rows;
    for (std::uint32_t f = 0; f < shape.features; ++f) {
        binning::Bins bins{false, bins_of(f), {}, {}};
        for (std::uint32_t b = 0; b < bins.count; ++b) {
            bins.low.push_back(10.0 * b);
            bins.high.push_back(10.0 * b + 4);
        }
        const CounterRandom present(shape.seed, 2 * f);
        const CounterRandom code(shape.seed, 2 * f + 1);
        std::vector<std::uint8_t> codes(shape.rows);
        // Some features are dense.
        const double share = f % 7 == 6 ? 1 : shape.present_share;
        for (std::size_t row = 0; row < shape.rows; ++row) {
            codes[row] = static_cast<std::uint8_t>(present.uniform(row) < share ? code.below(row, bins.count + 1)
                                                                                : absent_code(f, bins.count));
        }
        table.bins.push_back(bins);
        table.codes.emplace_back(codes);
    }
    return table;
}

SparseColumns columns_of(const binning::BinnedTable& table) {
    SparseColumns columns;
    columns.owner_begins = {0, static_cast<std::uint32_t>(table.bins.size())};
    columns.rows = columns.global_rows = table.rows;
    columns.entry_begins = columns.bin_begins = {0};
    for (std::uint32_t f = 0; f < table.bins.size(); ++f) {
        const binning::Bins& bins = table.bins[f];
        const std::uint32_t absent = absent_code(f, bins.count);
        for (std::uint32_t bin = 0; bin <= bins.count; ++bin) {
            for (std::uint32_t row = 0; row < table.rows && bin != absent; ++row) {
                if (test::code_at(table.codes[f], row) != bin) continue;
                columns.entry_rows.push_back(row);
                columns.entry_bins.push_back(static_cast<std::uint16_t>(bin));
            }
        }
        columns.entry_begins.push_back(columns.entry_rows.size());
        columns.low.insert(columns.low.end(), bins.low.begin(), bins.low.end());
        columns.high.insert(columns.high.end(), bins.high.begin(), bins.high.end());
        columns.bin_begins.push_back(columns.low.size());
        columns.absent_bins.push_back(absent);
    }
    return columns;
}

struct Case {
    const char* name;
    SparseShape shape;
    BoostingOptions options;
    std::vector<std::int8_t> monotone;
    InteractionGroups groups;
    double drawn = 1;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const char* name, auto change) {
        Case c{name, {}, {}, {}, {}, 1};
        c.options.max_depth = 4;
        c.options.min_child_weight = 0.2;
        change(c);
        all.push_back(c);
    };
    add("level by level", [](Case&) {});
    add("rows drawn", [](Case& c) { c.drawn = 0.6; });
    add("large least weight", [](Case& c) { c.options.min_child_weight = 3; });
    add("rows of leaves", [](Case& c) { c.options.min_rows_leaf = 8; });
    add("best first", [](Case& c) {
        c.options.growth = BoostingGrowth::lossguide;
        c.options.max_depth = 0;
        c.options.max_leaves = 12;
    });
    add("features drawn, alpha, a limit of leaves", [](Case& c) {
        c.options.colsample_bytree = c.options.colsample_bylevel = c.options.colsample_bynode = 0.7;
        c.options.reg_alpha = 0.05;
        c.options.max_leaves = 7;
    });
    add("monotone", [](Case& c) {
        for (std::uint32_t f = 0; f < c.shape.features; ++f) c.monotone.push_back(f % 2 == 0 ? 1 : -1);
    });
    add("interactions", [](Case& c) { c.groups = {{0, 1, 2, 3, 4, 5, 6}, {6, 7, 8, 9, 13}, {20, 21, 27}}; });
    add("symmetric", [](Case& c) { c.options.growth = BoostingGrowth::symmetric; });
    add("symmetric, few rows, large least weight", [](Case& c) {
        c.options.growth = BoostingGrowth::symmetric;
        c.options.min_child_weight = 2;
        c.options.min_rows_leaf = 5;
        c.drawn = 0.7;
    });
    add("symmetric, monotone", [](Case& c) {
        c.options.growth = BoostingGrowth::symmetric;
        for (std::uint32_t f = 0; f < c.shape.features; ++f) c.monotone.push_back(f % 2 == 0 ? 1 : -1);
    });
    add("packed gradients", [](Case& c) {
        c.shape.rows = 70000;
        c.shape.features = 12;
        c.options.min_child_weight = 1;
    });
    return all;
}

test::RandomGradients gradients_of(const Case& c, std::uint64_t seed) {
    test::RandomGradients gradients = test::random_gradients(seed, c.shape.rows);
    if (c.drawn == 1) return gradients;
    const CounterRandom draw(seed, 7);
    gradients.marks.marks.resize(c.shape.rows);
    for (std::size_t row = 0; row < c.shape.rows; ++row) gradients.marks.marks[row] = draw.uniform(row) < c.drawn;
    return gradients;
}

TEST(BoostingSparse, TreesAreThoseOfDenseCodes) {
    for (const unsigned threads : {1U, 2U}) {
        set_thread_count(threads);
        for (Case c : cases()) {
            for (std::uint64_t seed = 1; seed <= (c.shape.rows > 1000 ? 1U : 4U); ++seed) {
                SCOPED_TRACE(std::string(c.name) + ", seed " + std::to_string(seed));
                c.shape.seed = seed;
                const binning::BinnedTable binned = mostly_absent(c.shape);
                const SparseColumns columns = columns_of(binned);
                const BoostingTable table(binned);
                const BoostingTable none(binning::BinnedTable{});
                const Interactions interactions(c.groups, table.features());
                const BoostingPlan dense{table, c.options, c.monotone, interactions, 7};
                const BoostingPlan sparse{none, c.options, c.monotone, interactions, 7, &columns};
                const test::RandomGradients gradients = gradients_of(c, seed);
                LoneExchange alone;
                BoostingWorkspace first;
                BoostingWorkspace second;
                const auto expected = grow_boosted_tree(dense, gradients.view(), 0, alone, first);
                const auto grown = grow_boosted_tree(sparse, gradients.view(), 0, alone, second);
                ASSERT_GT(expected.tree.nodes.size(), c.groups.empty() ? 3U : 1U);
                ASSERT_EQ(grown.tree, expected.tree);
                for (std::size_t row = 0; row < c.shape.rows; ++row) {
                    ASSERT_EQ(leaf_by_codes(grown, row), leaf_by_codes(expected, row)) << row;
                }
                ASSERT_EQ(grown.leaf_rows.size(), expected.leaf_rows.size());
                for (std::size_t i = 0; i < grown.leaf_rows.size(); ++i) {
                    ASSERT_TRUE(std::ranges::equal(grown.leaf_rows[i].rows, expected.leaf_rows[i].rows));
                }
            }
        }
    }
    set_thread_count(1);
}

TEST(BoostingSparse, OwnersShareEntriesEvenly) {
    const std::vector<std::uint64_t> entries{5, 0, 0, 5, 20, 1, 1, 0};  // 40 with one more each
    EXPECT_EQ(share_features(entries, 1), (std::vector<std::uint32_t>{0, 8}));
    EXPECT_EQ(share_features(entries, 2), (std::vector<std::uint32_t>{0, 5, 8}));
    EXPECT_EQ(share_features(entries, 4), (std::vector<std::uint32_t>{0, 4, 5, 5, 8}));
    EXPECT_EQ(share_features(std::vector<std::uint64_t>{}, 3), (std::vector<std::uint32_t>{0, 0, 0, 0}));
    SparseColumns columns;
    columns.owner_begins = {0, 4, 5, 5, 8};
    columns.rank = 2;
    EXPECT_EQ(columns.columns(), 0U);
    EXPECT_FALSE(columns.owns(5));
    EXPECT_EQ(columns.owner(4), 1);
    EXPECT_EQ(columns.owner(5), 3);
}

}  // namespace
}  // namespace regrove::train
