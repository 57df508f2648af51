// Cells and leaves of a table's rows are the same for any spread of the rows, and what one rank finds row by row.
#include "regrove/dist/table_cells.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "regrove/dist/cart_grower.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/dist/leaf_rows.hpp"
#include "regrove/infer/predictor.hpp"

#include "support/mpi_world.hpp"
#include "support/random_table.hpp"

namespace regrove {
namespace {

using test::world;

data::TableShard table_with(double missing_share) {
    test::RandomTableShape shape;
    shape.rows = 200;
    shape.numeric = 3;
    shape.categorical = 1;
    shape.classes = 2;
    shape.missing_share = missing_share;
    return test::random_table(shape);
}

/// Shallow trees on the first `rows` rows.
model::Ensemble forest_of(const data::TableShard& table, std::size_t rows) {
    const auto alone = comm::make_self_communicator();
    train::CartOptions cart;
    cart.criterion = train::Criterion::gini;
    cart.max_depth = 2;
    train::ForestOptions options;
    options.trees = 3;
    auto part = data::slice(table, 0, rows);
    part.first_row = 0;
    part.global_rows = rows;
    return dist::grow_forest(*alone, part, cart, options, 5).ensemble;
}

/// Uneven shares; with three ranks or more, rank 1 has no rows.
data::TableShard share(const data::TableShard& table) {
    const auto ranks = static_cast<std::size_t>(world().size());
    const auto cut = [&](std::size_t r) {
        if (ranks >= 3 && r == 2) r = 1;
        return table.rows * r * r / (ranks * ranks);
    };
    const auto rank = static_cast<std::size_t>(world().rank());
    return data::slice(table, cut(rank), cut(rank + 1));
}

struct Case {
    data::TableShard table;
    model::Ensemble ensemble;
    cellspace::Space space;
    infer::Binding binding;

    Case(double missing_share, std::size_t training_rows)
        : table(table_with(missing_share)),
          ensemble(forest_of(table, training_rows)),
          space(cellspace::make_space(std::vector<const model::Ensemble*>{&ensemble},
                                      cellspace::UnseenValues::outside)),
          binding(ensemble, table.schema) {}
};

/// Row by row in plain sight.
dist::TableCells expected_cells(const Case& c) {
    std::set<std::vector<std::uint32_t>> cells;
    dist::TableCells expected;
    std::vector<double> values;
    for (std::size_t row = 0; row < c.table.rows; ++row) {
        c.binding.fill(c.table, row, row + 1, values);
        std::vector<std::uint32_t> cell;
        bool inside = true;
        for (const auto& axis : c.space.axes) {
            std::size_t f = 0;
            while (c.ensemble.features[f].name != axis.name) ++f;
            inside = inside && !(std::isnan(values[f]) && !axis.has_missing);
            cell.push_back(cellspace::cell_of(axis, values[f]));
        }
        if (inside)
            cells.insert(cell);
        else
            ++expected.rows_outside;
    }
    for (const auto& cell : cells) expected.cells.insert(expected.cells.end(), cell.begin(), cell.end());
    return expected;
}

TEST(TableCells, AreThoseOfTheRowsInOrderOnEveryRank) {
    const Case c(0.2, 200);
    const auto expected = expected_cells(c);
    ASSERT_GT(expected.cells.size() / c.space.axes.size(), 20U);
    EXPECT_EQ(expected.rows_outside, 0U);
    const auto found = dist::distinct_cells(world(), c.space, c.ensemble, c.binding, share(c.table));
    EXPECT_EQ(found.cells, expected.cells);
    EXPECT_EQ(found.rows_outside, 0U);
}

TEST(TableCells, RowsThatTheSpaceHasNoCellForAreCounted) {
    const Case c(0.05, 4);  // the forest saw few missing values
    const auto expected = expected_cells(c);
    ASSERT_GT(expected.rows_outside, 0U);
    const auto found = dist::distinct_cells(world(), c.space, c.ensemble, c.binding, share(c.table));
    EXPECT_EQ(found.cells, expected.cells);
    EXPECT_EQ(found.rows_outside, expected.rows_outside);
}

TEST(TableCells, CornersHoldAllCellsAndTouchThem) {
    const Case c(0, 200);
    const auto cells = expected_cells(c).cells;
    const auto corners = dist::range_corners(world(), c.space, c.ensemble, c.binding, share(c.table)).cells;
    const std::size_t axes = c.space.axes.size();
    ASSERT_EQ(corners.size(), 2 * axes);
    for (std::size_t a = 0; a < axes; ++a) {
        std::uint32_t low = cells[a];
        std::uint32_t high = cells[a];
        for (std::size_t i = a; i < cells.size(); i += axes) {
            low = std::min(low, cells[i]);
            high = std::max(high, cells[i]);
        }
        EXPECT_EQ(corners[a], low);
        EXPECT_EQ(corners[axes + a], high);
    }
}

TEST(TableCells, NoRowsNoCells) {
    const Case c(0.2, 200);
    const auto none = data::slice(c.table, 0, 0);
    EXPECT_TRUE(dist::distinct_cells(world(), c.space, c.ensemble, c.binding, none).cells.empty());
    EXPECT_TRUE(dist::range_corners(world(), c.space, c.ensemble, c.binding, none).cells.empty());
}

TEST(LeafRows, AreCountedOverAllRanks) {
    Case c(0.2, 200);
    c.ensemble.trees.resize(1);
    const infer::Predictor predictor(c.ensemble, c.table.schema);
    std::vector<std::uint64_t> expected(c.ensemble.trees[0].nodes.size(), 0);
    for (const NodeId leaf : predictor.leaves(c.table)) ++expected[index(leaf)];
    EXPECT_EQ(dist::leaf_rows(world(), c.ensemble, share(c.table)), expected);
}

}  // namespace
}  // namespace regrove
