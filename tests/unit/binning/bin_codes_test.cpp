#include "regrove/binning/bin_codes.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace regrove::binning {
namespace {

constexpr std::uint64_t k_unset = ~std::uint64_t{0};

std::vector<std::uint64_t> keys_of(const std::vector<double>& values) {
    std::vector<std::uint64_t> keys(values.size());
    read_keys(values, 0, keys);
    return keys;
}

TEST(MakeCodes, TakesTheNarrowestType) {
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(make_codes(255, 3)), (std::vector<std::uint8_t>(3, 255)));
    EXPECT_EQ(std::get<std::vector<std::uint16_t>>(make_codes(256, 3)), (std::vector<std::uint16_t>(3, 256)));
    EXPECT_EQ(std::get<std::vector<std::uint16_t>>(make_codes(65535, 1)), (std::vector<std::uint16_t>(1, 65535)));
    EXPECT_EQ(std::get<std::vector<std::uint32_t>>(make_codes(65536, 1)), (std::vector<std::uint32_t>(1, 65536)));
}

TEST(Encode, ABinReachesUpToItsBoundary) {
    const data::ColumnValues values = std::vector<double>{-3, -1, -0.5, -0.0, 0, 0.25, 2, std::nan("")};
    const auto boundaries = keys_of({-1, 0, 2});
    Codes codes = make_codes(3, 8);
    std::vector<std::uint64_t> lowest(4, k_unset);
    encode({values, {}}, {0, 8}, boundaries, codes, lowest);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(codes), (std::vector<std::uint8_t>{0, 0, 1, 1, 1, 2, 2, 3}));
    lowest.pop_back();
    EXPECT_EQ(lowest, keys_of({-3, -0.5, 0.25}));
}

TEST(Encode, RowsLeftOutHaveCodesButLowerNothing) {
    const data::ColumnValues values = std::vector<double>{-9, 1, 1.5, 2, 77};
    const std::vector<bool> left_out{true, false, true, false, true};
    Codes codes = make_codes(2, 5);
    std::vector<std::uint64_t> lowest(3, k_unset);
    encode({values, left_out}, {0, 5}, keys_of({1, 2}), codes, lowest);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(codes), (std::vector<std::uint8_t>{0, 0, 1, 1, 1}));
    lowest.pop_back();
    EXPECT_EQ(lowest, keys_of({1, 2}));
}

TEST(Encode, WithoutBinsAllIsMissing) {
    const data::ColumnValues values = std::vector<double>{4, std::nan("")};
    Codes codes = make_codes(0, 2);
    std::vector<std::uint64_t> lowest(1, k_unset);
    encode({values, {true, false}}, {0, 2}, {}, codes, lowest);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(codes), (std::vector<std::uint8_t>{0, 0}));
}

TEST(Encode, RangesAndManyBinsMeetWithoutASeam) {
    std::vector<double> cells;
    std::vector<double> highs;
    for (int row = 0; row < 5000; ++row) cells.push_back((row * 7919 % 5000) / 10.0);
    for (int bin = 0; bin < 1000; ++bin) highs.push_back((5 * bin + 4) / 10.0);
    const data::ColumnValues values = cells;
    Codes codes = make_codes(1000, cells.size());
    std::vector<std::uint64_t> lowest(1001, k_unset);
    for (const RowRange range : {RowRange{0, 777}, RowRange{777, 778}, RowRange{778, 5000}}) {
        encode({values, {}}, range, keys_of(highs), codes, lowest);
    }
    const auto& own = std::get<std::vector<std::uint16_t>>(codes);
    for (int row = 0; row < 5000; ++row) EXPECT_EQ(own[row], row * 7919 % 5000 / 5) << row;
    for (int bin = 0; bin < 1000; ++bin) EXPECT_EQ(key_value(values, lowest[bin]), bin * 5 / 10.0);
}

TEST(EncodeCategories, KeepsCodes) {
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(encode_categories({2, data::k_missing_category, 0}, 3)),
              (std::vector<std::uint8_t>{2, 3, 0}));
    EXPECT_EQ(std::get<std::vector<std::uint16_t>>(encode_categories({-1, 255}, 256)),
              (std::vector<std::uint16_t>{256, 255}));
}

}  // namespace
}  // namespace regrove::binning
