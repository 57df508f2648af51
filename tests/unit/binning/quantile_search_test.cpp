#include "regrove/binning/quantile_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::binning {
namespace {

const std::vector<bool> k_all;

struct Outcome {
    std::vector<std::uint64_t> boundaries;
    std::size_t rounds = 0;
    std::size_t key_rounds = 0;
    std::size_t largest_table = 0;
};

/// Runs the search with the rows dealt to as many "ranks" as `shares` has ends.
Outcome search(const data::ColumnValues& values, const std::vector<std::size_t>& shares, std::uint32_t max_bin,
               const QuantileSizes& sizes) {
    const KeyColumn column{values, k_all};
    QuantileSearch search(key_bits(values), max_bin, shares.back(), sizes);
    Outcome outcome;
    while (!search.done()) {
        outcome.rounds += 1;
        std::vector<std::uint64_t> table(search.table_size(), 0);
        std::vector<std::uint64_t> keys;
        const bool by_keys = search.wants_keys();
        for (std::size_t begin = 0, share = 0; share < shares.size(); begin = shares[share++]) {
            if (by_keys) {
                const auto own = search.collect(column, {begin, shares[share]});
                keys.insert(keys.end(), own.begin(), own.end());
            } else {
                search.count(column, {begin, shares[share]}, table);
            }
        }
        outcome.key_rounds += by_keys ? 1 : 0;
        if (!by_keys) outcome.largest_table = std::max(outcome.largest_table, table.size());
        by_keys ? search.advance_by_keys(keys) : search.advance(table);
    }
    outcome.boundaries = search.boundaries();
    return outcome;
}

/// By sorting everything.
std::vector<std::uint64_t> expected_boundaries(const data::ColumnValues& values, std::size_t rows,
                                               std::uint32_t max_bin) {
    std::vector<std::uint64_t> keys(rows);
    read_keys(values, 0, keys);
    std::erase(keys, k_no_key);
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint64_t> boundaries;
    for (std::size_t j = 0; j < max_bin && !keys.empty(); ++j) {
        const std::size_t place = ((j + 1) * keys.size() + max_bin - 1) / max_bin;
        boundaries.push_back(keys[place - 1]);
    }
    boundaries.erase(std::unique(boundaries.begin(), boundaries.end()), boundaries.end());
    return boundaries;
}

std::vector<data::ColumnValues> columns(std::size_t rows) {
    const CounterRandom random(17, 1);
    std::vector<double> normal(rows), narrow_range(rows), mostly_zero(rows), wild(rows);
    std::vector<float> ties(rows);
    std::vector<std::int32_t> whole(rows);
    std::vector<std::int64_t> stamps(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t at = 8 * row;
        normal[row] = row % 11 == 4 ? std::nan("") : random.normal(at);
        narrow_range[row] = 1 + random.uniform(at + 1) * 1e-12;
        mostly_zero[row] = random.below(at + 2, 10) < 8 ? (row % 2 == 0 ? 0.0 : -0.0) : random.normal(at + 3);
        wild[row] = std::ldexp(random.normal(at + 4), static_cast<int>(random.below(at + 5, 2100)) - 1075);
        ties[row] = static_cast<float>(random.below(at + 6, 400)) / 8 - 20;
        whole[row] = static_cast<std::int32_t>(random.bits(at + 7) >> 32U);
        stamps[row] = 1700000000000 + static_cast<std::int64_t>(random.below(at + 7, 1000000000));
    }
    return {normal, narrow_range, mostly_zero, wild, ties, whole, stamps};
}

TEST(QuantileSearch, EqualsSortingEverything) {
    constexpr std::size_t k_rows = 3001;
    const QuantileSizes sizes[] = {
        {}, {16, 8, std::size_t{1} << 20U, 0}, {5, 3, std::size_t{1} << 20U, 0}, {7, 8, 300, 2}, {1, 1, 1, 0}};
    for (const auto& values : columns(k_rows)) {
        for (const std::uint32_t max_bin : {2U, 7U, 255U, 4000U}) {
            const auto expected = expected_boundaries(values, k_rows, max_bin);
            ASSERT_GE(expected.size(), 2U);
            for (const auto& size : sizes) {
                EXPECT_EQ(search(values, {k_rows}, max_bin, size).boundaries, expected)
                    << "column " << values.index() << ", max_bin " << max_bin << ", digits " << size.digit_bits;
                EXPECT_EQ(search(values, {10, 10, 2000, k_rows}, max_bin, size).boundaries, expected);
            }
        }
    }
}

TEST(QuantileSearch, NoValuesHaveNoBoundaries) {
    const data::ColumnValues column = std::vector<float>(20, std::nanf(""));
    EXPECT_TRUE(search(column, {20}, 4, {}).boundaries.empty());
    EXPECT_TRUE(search(column, {20}, 4, {16, 8, std::size_t{1} << 20U, 0}).boundaries.empty());
}

TEST(QuantileSearch, TakesAsManyRoundsAsTheKeyHasDigits) {
    const auto all = columns(100000);
    const QuantileSizes never_keys{16, 8, std::size_t{1} << 20U, 0};
    EXPECT_EQ(search(all[4], {100000}, 255, never_keys).rounds, 3U);  // float32: 16 + 8 + 8 bits
    EXPECT_EQ(search(all[0], {100000}, 255, never_keys).rounds, 7U);  // float64: 16 + 6 * 8 bits
    // Normal deviates are alone in their stretch after 32 bits; then their keys are fetched.
    const auto short_cut = search(all[0], {100000}, 255, {});
    EXPECT_EQ(short_cut.key_rounds, 1U);
    EXPECT_LE(short_cut.rounds, 4U);
    EXPECT_EQ(short_cut.boundaries, expected_boundaries(all[0], 100000, 255));
    // Few rows are sent at once.
    EXPECT_EQ(search(all[0], {8192}, 255, {}).rounds, 1U);
}

TEST(QuantileSearch, TablesStayWithinTheirBound) {
    const auto all = columns(20000);
    for (const std::uint32_t max_bin : {2U, 255U, 5000U}) {
        for (const QuantileSizes& sizes : {QuantileSizes{}, QuantileSizes{16, 8, 4096, 0}}) {
            for (const auto& values : all) {
                EXPECT_LE(search(values, {20000}, max_bin, sizes).largest_table, sizes.table_bound(max_bin));
            }
        }
    }
}

}  // namespace
}  // namespace regrove::binning
