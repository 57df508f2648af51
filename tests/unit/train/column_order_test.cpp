#include "regrove/train/column_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::train {
namespace {

TEST(SortKey, KeepsTheOrderOfAllValues) {
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> ascending{-infinity, -1e300, -1.5, -5e-324, 0.0, 5e-324, 1.5, 1e300, infinity};
    for (std::size_t i = 1; i < ascending.size(); ++i) {
        EXPECT_LT(sort_key(ascending[i - 1]), sort_key(ascending[i]));
        EXPECT_LE(sort_key(static_cast<float>(ascending[i - 1])), sort_key(static_cast<float>(ascending[i])));
    }
    EXPECT_EQ(sort_key(-0.0), sort_key(0.0));
    EXPECT_EQ(sort_key(-0.0F), sort_key(0.0F));
    EXPECT_LT(sort_key(std::int32_t{-3}), sort_key(std::int32_t{2}));
    EXPECT_LT(sort_key(std::int64_t{-3}), sort_key(std::int64_t{2}));
}

template <class T>
void check_order(const std::vector<T>& values) {
    std::vector<std::uint32_t> expected;
    std::vector<std::uint32_t> missing;
    for (std::uint32_t row = 0; row < values.size(); ++row)
        (std::isnan(values[row]) ? missing : expected).push_back(row);
    std::stable_sort(expected.begin(), expected.end(), [&](auto x, auto y) { return values[x] < values[y]; });
    const auto order = order_column(values);
    EXPECT_EQ(order.missing, missing);
    ASSERT_EQ(order.entries.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(order.entries[i].row, expected[i]) << i;
}

TEST(OrderColumn, EqualsAStableSort) {
    const CounterRandom random(1, 2);
    std::vector<double> wide;
    std::vector<float> narrow;
    for (std::uint64_t i = 0; i < 5000; ++i) {
        const bool missing = random.below(3 * i, 20) == 0;
        const double value =
            i % 2 == 0 ? random.normal(3 * i + 1) * 1e10 : static_cast<double>(random.below(3 * i + 1, 9)) - 4;
        wide.push_back(missing ? std::nan("") : value);
        narrow.push_back(missing ? std::nanf("") : static_cast<float>(value));
    }
    check_order(wide);
    check_order(narrow);
    check_order(std::vector<double>(300, 1.0));
    check_order(std::vector<float>{});
}

TEST(OrderColumn, IntegersMissByTheirSmallestValue) {
    const auto order = order_column(std::vector<std::int32_t>{5, data::k_missing_int32, -7, 5});
    EXPECT_EQ(order.missing, (std::vector<std::uint32_t>{1}));
    ASSERT_EQ(order.entries.size(), 3U);
    EXPECT_EQ(order.entries[0].row, 2U);
    EXPECT_EQ(order.entries[1].row, 0U);
    EXPECT_EQ(order.entries[2].row, 3U);
}

}  // namespace
}  // namespace regrove::train
