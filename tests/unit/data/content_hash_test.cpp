// The content hash depends on every cell and its place, and on nothing else.
#include "regrove/data/content_hash.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"

namespace regrove::data {
namespace {

TableShard numbers(std::vector<double> values, RowIndex first_row = 0) {
    TableShard shard;
    shard.schema = {{{"x", ColumnType::float64, ColumnRole::feature, {}}}};
    shard.rows = values.size();
    shard.first_row = first_row;
    shard.values = {std::move(values)};
    return shard;
}

TableShard of(ColumnType type, ColumnValues values, std::vector<std::string> categories = {}) {
    TableShard shard;
    shard.schema = {{{"x", type, ColumnRole::feature, std::move(categories)}}};
    shard.rows = row_count(values);
    shard.values = {std::move(values)};
    return shard;
}

TableShard random_table(std::size_t rows) {
    const CounterRandom random(7, 1);
    std::vector<float> x(rows);
    std::vector<CategoryCode> c(rows);
    std::vector<std::string> id(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        x[r] = static_cast<float>(random.uniform(3 * r));
        c[r] = static_cast<CategoryCode>(random.below(3 * r + 1, 3)) - 1;
        id[r] = "row " + std::to_string(random.below(3 * r + 2, 1000));
    }
    TableShard shard;
    shard.schema = {{{"x", ColumnType::float32, ColumnRole::feature, {}},
                     {"c", ColumnType::category, ColumnRole::feature, {"no", "yes"}},
                     {"id", ColumnType::text, ColumnRole::id, {}}}};
    shard.rows = rows;
    shard.global_rows = rows;
    shard.values = {std::move(x), std::move(c), std::move(id)};
    return shard;
}

TEST(ContentHash, IsThisValueForThisTable) {
    // Computed once with numpy by the recipe of docs/table-format.md.
    EXPECT_EQ(to_hex(content_hash(numbers({1.5, -2.0, std::nan("")}))), "bad4f560a798f03a1f5504bfa5e4abe9");
    EXPECT_EQ(to_hex(content_hash(of(ColumnType::text, std::vector<std::string>{"a", "", "longer"}))),
              "3ef082d58d546a7271bdc1128eec2d68");
}

TEST(ContentHash, DoesNotDependOnTheCut) {
    const TableShard whole = random_table(200000);
    const Hash128 expected = content_hash(whole);
    for (const std::size_t cut : {0UL, 1UL, 65536UL, 99999UL, 200000UL}) {
        const Hash128 sum = merge(content_hash(slice(whole, 0, cut)), content_hash(slice(whole, cut, whole.rows)));
        EXPECT_EQ(sum, expected) << "cut at " << cut;
    }
    const unsigned threads = thread_count();
    set_thread_count(1);
    EXPECT_EQ(content_hash(whole), expected);
    set_thread_count(threads);
}

TEST(ContentHash, ChangesWithEachCell) {
    const Hash128 expected = content_hash(numbers({1, 2, 3}));
    EXPECT_NE(content_hash(numbers({1, 2, 4})), expected);
    EXPECT_NE(content_hash(numbers({2, 1, 3})), expected);
    EXPECT_NE(content_hash(numbers({1, 2, 3}, 1)), expected);
    EXPECT_NE(content_hash(numbers({1, 2})), expected);
    EXPECT_NE(content_hash(numbers({1, 2, std::nextafter(3.0, 4.0)})), expected);
    EXPECT_NE(content_hash(numbers({0.0})), content_hash(numbers({-0.0})));
}

TEST(ContentHash, ColumnsCountByTheirPlaceInTheTable) {
    const TableShard shard = random_table(100);
    const auto own = column_hashes(shard);
    ASSERT_EQ(own.size(), 3U);
    EXPECT_EQ(merge(merge(own[0], own[1]), own[2]), content_hash(shard));
    TableShard second;
    second.schema = {{shard.schema.columns[1]}};
    second.values = {shard.values[1]};
    second.rows = shard.rows;
    EXPECT_EQ(column_hashes(second, {1}).front(), own[1]);
    EXPECT_NE(column_hashes(second).front(), own[1]);
}

TEST(ContentHash, NumbersOfOneValueAgreeInEveryType) {
    const Hash128 expected = content_hash(numbers({3, -7, std::nan("")}));
    EXPECT_EQ(content_hash(of(ColumnType::float32, std::vector<float>{3, -7, NAN})), expected);
    EXPECT_EQ(content_hash(of(ColumnType::int32, std::vector<std::int32_t>{3, -7, k_missing_int32})), expected);
    EXPECT_EQ(content_hash(of(ColumnType::int64, std::vector<std::int64_t>{3, -7, k_missing_int64})), expected);
}

TEST(ContentHash, WideIntegersKeepTheirLastBit) {
    const std::int64_t wide = (std::int64_t{1} << 53U) + 1;
    EXPECT_NE(content_hash(of(ColumnType::int64, std::vector<std::int64_t>{wide})),
              content_hash(of(ColumnType::int64, std::vector<std::int64_t>{wide - 1})));
}

TEST(ContentHash, CategoriesCountByName) {
    const auto codes = [](std::vector<CategoryCode> values, std::vector<std::string> categories) {
        return content_hash(of(ColumnType::category, std::move(values), std::move(categories)));
    };
    EXPECT_EQ(codes({0, 1, -1}, {"no", "yes"}), codes({1, 0, -1}, {"yes", "no"}));
    EXPECT_NE(codes({0, 1, -1}, {"no", "yes"}), codes({0, 1, -1}, {"yes", "no"}));
    EXPECT_NE(codes({-1}, {"no"}), codes({0}, {"no"}));
    EXPECT_THROW(codes({2}, {"no", "yes"}), InternalError);
}

}  // namespace
}  // namespace regrove::data
