// Cells as numbers and text for each column type, missing markers, joining and cutting shards.
#include "regrove/data/table.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::data {
namespace {

using testing::ElementsAre;

constexpr float k_nan32 = std::numeric_limits<float>::quiet_NaN();
constexpr double k_nan64 = std::numeric_limits<double>::quiet_NaN();

/// Two rows of every type; the second is missing everywhere.
TableShard every_type() {
    TableShard shard = make_shard({{{"f", ColumnType::float32, ColumnRole::feature, {}},
                                    {"d", ColumnType::float64, ColumnRole::feature, {}},
                                    {"i", ColumnType::int32, ColumnRole::feature, {}},
                                    {"l", ColumnType::int64, ColumnRole::feature, {}},
                                    {"c", ColumnType::category, ColumnRole::feature, {"no", "yes"}},
                                    {"t", ColumnType::text, ColumnRole::id, {}}}});
    shard.values = {std::vector<float>{0.1F, k_nan32},
                    std::vector<double>{-0.0, k_nan64},
                    std::vector<std::int32_t>{-1, k_missing_int32},
                    std::vector<std::int64_t>{9007199254740993, k_missing_int64},
                    std::vector<std::int32_t>{1, k_missing_category},
                    std::vector<std::string>{"row one", ""}};
    shard.rows = 2;
    shard.first_row = 10;
    shard.global_rows = 100;
    return shard;
}

TEST(Table, MakeShardHasEmptyColumnsOfTheRightAlternative) {
    const TableShard shard = make_shard(every_type().schema);
    const TableShard filled = every_type();
    ASSERT_EQ(shard.values.size(), 6U);
    EXPECT_EQ(shard.rows, 0U);
    for (std::size_t c = 0; c < 6; ++c) {
        EXPECT_EQ(shard.values[c].index(), filled.values[c].index());
        EXPECT_EQ(row_count(shard.values[c]), 0U);
        EXPECT_EQ(row_count(filled.values[c]), 2U);
    }
}

TEST(Table, MissingCellsOfEveryType) {
    const TableShard shard = every_type();
    for (std::size_t c = 0; c < 6; ++c) {
        const ColumnType type = shard.schema.columns[c].type;
        EXPECT_FALSE(is_missing(type, shard.values[c], 0)) << c;
        EXPECT_TRUE(is_missing(type, shard.values[c], 1)) << c;
        EXPECT_TRUE(std::isnan(as_double(type, shard.values[c], 1))) << c;
        EXPECT_EQ(cell_text(shard.schema.columns[c], shard.values[c], 1), "") << c;
    }
}

TEST(Table, MinusOneIsAnIntegerButNoCategory) {
    const ColumnValues cells = std::vector<std::int32_t>{-1};
    EXPECT_FALSE(is_missing(ColumnType::int32, cells, 0));
    EXPECT_EQ(as_double(ColumnType::int32, cells, 0), -1.0);
    EXPECT_TRUE(is_missing(ColumnType::category, cells, 0));
    EXPECT_TRUE(std::isnan(as_double(ColumnType::category, cells, 0)));
}

TEST(Table, CellsAsNumbers) {
    const TableShard shard = every_type();
    const auto number = [&](std::size_t c) { return as_double(shard.schema.columns[c].type, shard.values[c], 0); };
    EXPECT_EQ(number(0), static_cast<double>(0.1F));
    EXPECT_TRUE(number(1) == 0 && std::signbit(number(1)));
    EXPECT_EQ(number(3), 9007199254740992.0);
    EXPECT_EQ(number(4), 1.0);
    EXPECT_TRUE(std::isnan(number(5)));
}

TEST(Table, CellsAsText) {
    const TableShard shard = every_type();
    const auto text = [&](std::size_t c) { return cell_text(shard.schema.columns[c], shard.values[c], 0); };
    EXPECT_EQ(text(0), "0.1");
    EXPECT_EQ(text(2), "-1");
    EXPECT_EQ(text(3), "9007199254740993");
    EXPECT_EQ(text(4), "yes");
    EXPECT_EQ(text(5), "row one");
}

TEST(Table, ACodeBeyondTheDictionaryIsABug) {
    TableShard shard = every_type();
    shard.values[4] = std::vector<std::int32_t>{2, 0};
    EXPECT_THROW(cell_text(shard.schema.columns[4], shard.values[4], 0), InternalError);
}

TEST(Table, AppendPutsTheChunkBehind) {
    TableShard shard = every_type();
    append(shard, slice(every_type(), 0, 1));
    EXPECT_EQ(shard.rows, 3U);
    EXPECT_EQ(shard.first_row, 10U);
    EXPECT_THAT(std::get<std::vector<std::int32_t>>(shard.values[4]), ElementsAre(1, -1, 1));
    EXPECT_THAT(std::get<std::vector<std::string>>(shard.values[5]), ElementsAre("row one", "", "row one"));
}

TEST(Table, AppendRefusesAnotherSchema) {
    TableShard shard = every_type();
    TableShard other = every_type();
    other.values[0] = std::vector<double>{1, 2};
    EXPECT_THROW(append(shard, other), InternalError);
    other.values.pop_back();
    EXPECT_THROW(append(shard, other), InternalError);
}

TEST(Table, SliceKeepsTheGlobalPlace) {
    const TableShard part = slice(every_type(), 1, 2);
    EXPECT_EQ(part.rows, 1U);
    EXPECT_EQ(part.first_row, 11U);
    EXPECT_EQ(part.global_rows, 100U);
    EXPECT_EQ(part.schema, every_type().schema);
    EXPECT_THAT(std::get<std::vector<std::int32_t>>(part.values[2]), ElementsAre(k_missing_int32));
    const TableShard none = slice(every_type(), 2, 2);
    EXPECT_EQ(none.rows, 0U);
    EXPECT_EQ(row_count(none.values[5]), 0U);
    EXPECT_THROW(slice(every_type(), 1, 3), InternalError);
}

}  // namespace
}  // namespace regrove::data
