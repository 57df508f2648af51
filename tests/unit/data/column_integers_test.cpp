// Distinct integers and their places, by marks where they lie close together and by search where they do not.
#include "regrove/data/column_integers.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "regrove/data/column_numbers.hpp"

namespace regrove::data {
namespace {

using Integers = std::vector<std::int64_t>;

template <class Cell>
void expect_distinct(const std::vector<Cell>& cells, const Integers& distinct,
                     const std::vector<std::uint32_t>& places) {
    const ColumnValues values = cells;
    EXPECT_EQ(distinct_integers(values, 100), distinct);
    std::vector<std::uint32_t> found(cells.size(), 99);
    places_of_integers(values, distinct, found);
    EXPECT_EQ(found, places);
}

TEST(ColumnIntegers, CloseTogetherOrFarApart) {
    expect_distinct<std::int32_t>({}, {}, {});
    expect_distinct<std::int32_t>({5}, {5}, {0});
    expect_distinct<std::int32_t>({1, 0, 1, 1}, {0, 1}, {1, 0, 1, 1});
    expect_distinct<std::int32_t>({2147483647, -2147483647, 3}, {-2147483647, 3, 2147483647}, {2, 0, 1});
    expect_distinct<std::int64_t>({-7, 65528, -7}, {-7, 65528}, {0, 1, 0});
    expect_distinct<std::int64_t>({-7, 65529, 9}, {-7, 9, 65529}, {0, 2, 1});
    expect_distinct<std::int64_t>({9007199254740992, -9007199254740992}, {-9007199254740992, 9007199254740992},
                                  {1, 0});
}

TEST(ColumnIntegers, PlacesAmongIntegersOfOtherRanks) {
    std::vector<std::uint32_t> places(3);
    places_of_integers(std::vector<std::int32_t>{4, 2, 4}, Integers{-1, 2, 3, 4, 1000000}, places);
    EXPECT_EQ(places, (std::vector<std::uint32_t>{3, 1, 3}));
    places_of_integers(std::vector<std::int32_t>{4, 2, 4}, Integers{-1, 2, 3, 4}, places);
    EXPECT_EQ(places, (std::vector<std::uint32_t>{3, 1, 3}));
}

TEST(ColumnIntegers, StopsBeyondTheMost) {
    std::vector<std::int64_t> cells;
    for (std::int64_t i = 0; i < 1000; ++i) cells.push_back(i * 1000);
    EXPECT_GT(distinct_integers(cells, 100).size(), 100U);
    EXPECT_LT(distinct_integers(cells, 100).size(), 200U);
}

TEST(ColumnNumbers, AreThoseOfEachCellAlone) {
    const std::vector<std::pair<ColumnType, ColumnValues>> columns{
        {ColumnType::float32, std::vector<float>{1.5F, std::numeric_limits<float>::quiet_NaN(), -0.0F}},
        {ColumnType::float64, std::vector<double>{1e300, std::numeric_limits<double>::quiet_NaN()}},
        {ColumnType::int32, std::vector<std::int32_t>{-1, 7, k_missing_int32}},
        {ColumnType::category, std::vector<std::int32_t>{k_missing_category, 7}},
        {ColumnType::int64, std::vector<std::int64_t>{k_missing_int64, -9}},
        {ColumnType::text, std::vector<std::string>{"", "a"}},
    };
    for (const auto& [type, values] : columns) {
        std::size_t rows = 0;
        for_each_number(type, values, [&](std::size_t row, double number) {
            EXPECT_EQ(row, rows++);
            const double expected = as_double(type, values, row);
            if (std::isnan(expected)) {
                EXPECT_TRUE(std::isnan(number));
            } else {
                EXPECT_EQ(number, expected);
            }
        });
        EXPECT_EQ(rows, row_count(values));
    }
}

}  // namespace
}  // namespace regrove::data
