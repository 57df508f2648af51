#include "regrove/binning/distinct_keys.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::binning {
namespace {

const std::vector<bool> k_all;

TEST(DistinctKeys, FindsAllOfFewValues) {
    const CounterRandom random(3, 1);
    std::vector<double> cells;
    std::set<std::uint64_t> expected;
    for (std::uint64_t row = 0; row < 5000; ++row) {
        const auto value = static_cast<std::int64_t>(random.below(row, 200)) - 100;
        cells.push_back(row % 9 == 0 ? std::nan("") : static_cast<double>(value) * 1e-3);
        if (row % 9 == 0) continue;
        std::uint64_t key = 0;
        read_keys(cells, row, std::span(&key, 1));
        expected.insert(key);
    }
    const data::ColumnValues column = cells;
    const auto keys = distinct_keys({column, k_all}, {0, cells.size()}, expected.size());
    EXPECT_EQ(keys, (std::vector<std::uint64_t>(expected.begin(), expected.end())));
    EXPECT_EQ(distinct_keys({column, k_all}, {0, cells.size()}, 1000), keys);
}

TEST(DistinctKeys, StopsAtOneTooMany) {
    std::vector<std::int32_t> cells(3000);
    for (std::size_t row = 0; row < cells.size(); ++row) cells[row] = static_cast<std::int32_t>(row % 17);
    const data::ColumnValues column = cells;
    EXPECT_EQ(distinct_keys({column, k_all}, {0, cells.size()}, 17).size(), 17U);
    EXPECT_EQ(distinct_keys({column, k_all}, {0, cells.size()}, 16).size(), 17U);
    EXPECT_EQ(distinct_keys({column, k_all}, {0, cells.size()}, 4).size(), 5U);
    EXPECT_TRUE(distinct_keys({column, k_all}, {0, 0}, 4).empty());
}

TEST(DistinctKeys, RowsLeftOutAddNone) {
    const data::ColumnValues column = std::vector<std::int32_t>{5, 6, 5, 7};
    const std::vector<bool> left_out{false, true, false, true};
    EXPECT_EQ(distinct_keys({column, left_out}, {0, 4}, 9), (std::vector<std::uint64_t>{0x80000005U}));
}

TEST(MakeDistinct, SortsAndDropsRepeats) {
    std::vector<std::uint64_t> keys{5, 1, 5, 3, 1};
    make_distinct(keys);
    EXPECT_EQ(keys, (std::vector<std::uint64_t>{1, 3, 5}));
}

}  // namespace
}  // namespace regrove::binning
