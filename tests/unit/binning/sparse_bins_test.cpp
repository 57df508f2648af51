// The bins of sparse columns beside those counted by hand.
#include "regrove/binning/sparse_bins.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace regrove::binning {
namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
using Numbers = std::vector<double>;
using Codes32 = std::vector<std::uint32_t>;

TEST(SparseBins, ZeroIsAValueAmongTheOthers) {
    const Numbers values{3, -1, 3, k_nan, -0.0};
    const auto binned = bin_sparse_column({values, {}, 10, false}, 8);
    EXPECT_EQ(binned.bins.low, (Numbers{-1, 0, 3}));
    EXPECT_EQ(binned.bins.high, binned.bins.low);
    EXPECT_EQ(binned.absent_bin, 1U);
    EXPECT_EQ(binned.codes, (Codes32{2, 0, 2, 3, 1}));
}

TEST(SparseBins, AbsentCellsMayBeMissing) {
    const Numbers values{3, 0};
    const auto binned = bin_sparse_column({values, {}, 10, true}, 8);
    EXPECT_EQ(binned.bins.high, (Numbers{0, 3}));
    EXPECT_EQ(binned.absent_bin, 2U);
    EXPECT_EQ(binned.codes, (Codes32{1, 0}));
}

/// 20 rows: -2, -1, fourteen zeros, 1, 2, 3, 4. Of four places the 5th, 10th and 15th are zero, the 20th is 4.
TEST(SparseBins, QuantilesCountAbsentRows) {
    const Numbers values{4, 3, 2, 1, -1, -2};
    const auto binned = bin_sparse_column({values, {}, 14, false}, 4);
    EXPECT_EQ(binned.bins.high, (Numbers{0, 4}));
    EXPECT_EQ(binned.bins.low, (Numbers{-2, 1}));
    EXPECT_EQ(binned.absent_bin, 0U);
    EXPECT_EQ(binned.codes, (Codes32{1, 1, 1, 1, 0, 0}));
}

TEST(SparseBins, RowsLeftOutAreCodedButMakeNoBins) {
    const Numbers values{5, 1, 9};
    const std::vector<std::uint8_t> left_out{0, 1, 1};
    const auto binned = bin_sparse_column({values, left_out, 0, false}, 8);
    EXPECT_EQ(binned.bins.high, Numbers{5});
    EXPECT_EQ(binned.codes, (Codes32{0, 0, 0}));
    EXPECT_EQ(binned.absent_bin, 0U);
}

TEST(SparseBins, NoValueAtAll) {
    const auto binned = bin_sparse_column({{}, {}, 10, true}, 8);
    EXPECT_EQ(binned.bins.count, 0U);
    EXPECT_EQ(binned.absent_bin, 0U);
}

}  // namespace
}  // namespace regrove::binning
