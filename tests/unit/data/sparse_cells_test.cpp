// Sparse rows taken, joined and made dense again.
#include "regrove/data/sparse_cells.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/data/content_hash.hpp"

namespace regrove::data {
namespace {

TableShard small_table() {
    TableShard table;
    table.rows = table.global_rows = 4;
    table.schema.columns = {{"x", ColumnType::float32, ColumnRole::feature, {}},
                            {"y", ColumnType::int32, ColumnRole::label, {}},
                            {"k", ColumnType::int32, ColumnRole::feature, {}}};
    table.values.emplace_back(std::vector<float>{0, 1.5F, std::nanf(""), -2});
    table.values.emplace_back(std::vector<std::int32_t>{1, 0, 1, 1});
    table.values.emplace_back(std::vector<std::int32_t>{7, 0, 0, k_missing_int32});
    return table;
}

TEST(SparseCells, HoldOnlyWhatIsNotAbsent) {
    const SparseTable table = make_sparse(small_table());
    EXPECT_EQ(table.cells.row_begins, (std::vector<std::uint64_t>{0, 1, 2, 3, 5}));
    EXPECT_EQ(table.cells.features, (std::vector<std::uint32_t>{1, 0, 0, 0, 1}));
    EXPECT_EQ(table.cells.value(0), 7);
    EXPECT_TRUE(std::isnan(table.cells.value(2)));
    EXPECT_EQ(table.cells.columns[1].type, ColumnType::float64);
    ASSERT_EQ(table.rows.schema.columns.size(), 1U);
    EXPECT_EQ(table.rows.schema.columns[0].name, "y");
}

TEST(SparseCells, AreTakenAndJoined) {
    const SparseTable table = make_sparse(small_table());
    const std::vector<std::uint64_t> places{3, 0};
    SparseTable taken = take_rows(table, places);
    EXPECT_EQ(taken.cells.row_begins, (std::vector<std::uint64_t>{0, 2, 3}));
    append(taken.cells, take_rows(table.cells, std::vector<std::uint64_t>{1}));
    EXPECT_EQ(taken.cells.row_begins, (std::vector<std::uint64_t>{0, 2, 3, 4}));
    EXPECT_EQ(taken.cells.features, (std::vector<std::uint32_t>{0, 1, 1, 0}));
    EXPECT_EQ(taken.cells.value(0), -2);
    EXPECT_EQ(taken.cells.value(3), 1.5);
}

TEST(SparseCells, SomeFeaturesMadeDense) {
    const SparseTable table = make_sparse(small_table());
    const std::vector<std::uint32_t> features{1};
    const TableShard part = dense_part(table.rows, table.cells, features, 1, 4);
    EXPECT_EQ(part.first_row, 1U);
    ASSERT_EQ(part.schema.columns.size(), 2U);
    EXPECT_EQ(part.schema.columns[1].name, "k");
    const auto& cells = std::get<std::vector<double>>(part.values[1]);
    EXPECT_EQ(cells[0], 0);
    EXPECT_EQ(cells[1], 0);
    EXPECT_TRUE(std::isnan(cells[2]));
}

TEST(SparseCells, OtherColumnsThanNumbersAreRefused) {
    TableShard table = small_table();
    table.schema.columns[2].type = ColumnType::category;
    EXPECT_THROW(static_cast<void>(make_sparse(table)), InputError);
}

TEST(SparseCells, HashOfPresentCellsIsOfThoseOnly) {
    const SparseTable table = make_sparse(small_table());
    SparseCells more = table.cells;
    more.columns.push_back({"empty", ColumnType::float32, ColumnRole::feature, {}});
    EXPECT_EQ(present_hash(more, 0, 1), present_hash(table.cells, 0, 1));
    EXPECT_NE(content_hash(more, 0, 1), content_hash(table.cells, 0, 1));
    EXPECT_NE(present_hash(table.cells, 1, 1), present_hash(table.cells, 0, 1));
}

}  // namespace
}  // namespace regrove::data
