#include "regrove/binning/key_column.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"

namespace regrove::binning {
namespace {

template <class T>
void check_keys(const std::vector<T>& ascending, unsigned bits) {
    const data::ColumnValues column = ascending;
    EXPECT_EQ(key_bits(column), bits);
    std::vector<std::uint64_t> keys(ascending.size());
    read_keys(column, 0, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_NE(keys[i], k_no_key);
        EXPECT_EQ(key_value(column, keys[i]), static_cast<double>(ascending[i]));
        if (i > 0) {
            EXPECT_LT(keys[i - 1], keys[i]) << i;
        }
        if (bits == 32) {
            EXPECT_LT(keys[i], std::uint64_t{1} << 32U);
        }
    }
}

TEST(ReadKeys, AscendWithTheValuesAndLeadBackToThem) {
    const double tiny = std::numeric_limits<double>::denorm_min();
    const float tiny_float = std::numeric_limits<float>::denorm_min();
    const auto infinity = std::numeric_limits<double>::infinity();
    check_keys<double>({-infinity, -1.7e308, -1.0, -tiny, 0.0, tiny, 0.1, 1.7e308, infinity}, 64);
    check_keys<float>({-3.4e38F, -1.0F, -tiny_float, 0.0F, tiny_float, 0.1F, 3.4e38F}, 32);
    check_keys<std::int32_t>({-2147483647, -1, 0, 1, 2147483647}, 32);
    check_keys<std::int64_t>({-9007199254740992, -5000000000, -1, 0, 7, 9007199254740992}, 64);
}

TEST(ReadKeys, BothZerosShareAKeyThatMeansPlusZero) {
    for (const data::ColumnValues& column :
         {data::ColumnValues(std::vector<double>{-0.0, 0.0}), data::ColumnValues(std::vector<float>{-0.0F, 0.0F})}) {
        std::vector<std::uint64_t> keys(2);
        read_keys(column, 0, keys);
        EXPECT_EQ(keys[0], keys[1]);
        EXPECT_FALSE(std::signbit(key_value(column, keys[0])));
    }
}

TEST(ReadKeys, MissingCellsHaveNone) {
    const data::ColumnValues columns[] = {std::vector<double>{1, std::nan(""), -std::nan("")},
                                          std::vector<float>{1, std::nanf(""), -std::nanf("")},
                                          std::vector<std::int32_t>{1, data::k_missing_int32, data::k_missing_int32},
                                          std::vector<std::int64_t>{1, data::k_missing_int64, data::k_missing_int64}};
    for (const auto& column : columns) {
        std::vector<std::uint64_t> keys(3);
        read_keys(column, 0, keys);
        EXPECT_NE(keys[0], k_no_key);
        EXPECT_EQ(keys[1], k_no_key);
        EXPECT_EQ(keys[2], k_no_key);
    }
}

TEST(ReadKeys, TextHasNone) {
    std::vector<std::uint64_t> keys(1);
    EXPECT_THROW(read_keys(std::vector<std::string>{"a"}, 0, keys), InternalError);
}

TEST(VisitKeys, GivesTheRangesRowsThatCountInOrder) {
    std::vector<std::int32_t> cells(2000);
    std::vector<bool> left_out(cells.size());
    std::vector<std::uint64_t> expected;
    for (std::size_t row = 0; row < cells.size(); ++row) {
        cells[row] = row % 7 == 3 ? data::k_missing_int32 : static_cast<std::int32_t>(row);
        left_out[row] = row % 5 == 1;
        if (row >= 13 && row < 1900 && row % 7 != 3 && row % 5 != 1) expected.push_back(row + 0x80000000U);
    }
    const data::ColumnValues column = cells;
    std::vector<std::uint64_t> seen;
    visit_keys({column, left_out}, {13, 1900}, [&](std::span<const std::uint64_t> keys) {
        seen.insert(seen.end(), keys.begin(), keys.end());
        return true;
    });
    EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace regrove::binning
