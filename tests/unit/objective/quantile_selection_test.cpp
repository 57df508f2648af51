// Quantiles of many sets against sorting, split over shards in any way.
#include "regrove/objective/quantile_selection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/random.hpp"

namespace regrove::objective {
namespace {

using testing::ElementsAre;

struct Rows {
    std::vector<double> values;
    std::vector<std::int64_t> masses;
    std::vector<std::uint32_t> sets;
};

Rows part(const Rows& rows, std::size_t begin, std::size_t end) {
    Rows some;
    for (std::size_t i = begin; i < end; ++i) {
        some.values.push_back(rows.values[i]);
        if (!rows.masses.empty()) some.masses.push_back(rows.masses[i]);
        if (!rows.sets.empty()) some.sets.push_back(rows.sets[i]);
    }
    return some;
}

std::vector<double> select(const std::vector<Rows>& shards, std::uint32_t sets, double quantile) {
    std::vector<QuantileSelection> searches;
    for (const Rows& rows : shards) searches.emplace_back(rows.values, rows.masses, rows.sets, sets, quantile);
    while (!searches[0].done()) {
        std::vector<std::int64_t> merged(sets * 256U, 0);
        for (const auto& search : searches) {
            const auto own = search.count();
            for (std::size_t i = 0; i < own.size(); ++i) merged[i] += own[i];
        }
        for (auto& search : searches) search.advance(merged);
    }
    return searches[0].quantiles();
}

/// The definition: the smallest value whose values up to it have the share.
double sorted_quantile(const Rows& rows, std::uint32_t set, double quantile) {
    std::vector<std::pair<double, double>> own;
    double total = 0;
    for (std::size_t i = 0; i < rows.values.size(); ++i) {
        if (rows.sets[i] != set) continue;
        own.emplace_back(rows.values[i], rows.masses.empty() ? 1.0 : static_cast<double>(rows.masses[i]));
        total += own.back().second;
    }
    if (total == 0) return 0;
    std::ranges::sort(own);
    double below = 0;
    for (const auto& [value, mass] : own) {
        below += mass;
        if (below > 0 && below >= quantile * total) return value;
    }
    return own.back().first;
}

Rows random_rows(std::size_t count, std::uint32_t sets, bool weighted) {
    const CounterRandom random(4, weighted ? 1 : 0);
    Rows rows;
    for (std::size_t i = 0; i < count; ++i) {
        const double sign = random.below(5 * i, 2) == 0 ? 1 : -1;
        rows.values.push_back(
            sign * std::ldexp(random.uniform(5 * i + 1), static_cast<int>(random.below(5 * i + 2, 40)) - 20));
        if (random.below(5 * i + 3, 4) == 0) rows.values.back() = 0.25;
        rows.sets.push_back(static_cast<std::uint32_t>(random.below(5 * i + 4, sets)));
        if (rows.sets.back() == 2) rows.sets.back() = QuantileSelection::k_no_set;
        if (weighted) rows.masses.push_back(static_cast<std::int64_t>(random.below(9000000 + i, 4)));
    }
    return rows;
}

TEST(QuantileSelection, EqualsSorting) {
    for (const bool weighted : {false, true}) {
        const Rows rows = random_rows(3000, 7, weighted);
        for (const double quantile : {0.01, 0.5, 0.9, 0.999}) {
            const auto found = select({rows}, 7, quantile);
            for (std::uint32_t set = 0; set < 7; ++set)
                EXPECT_EQ(found[set], set == 2 ? 0.0 : sorted_quantile(rows, set, quantile)) << set;
        }
    }
}

TEST(QuantileSelection, AnySplitGivesTheSame) {
    const Rows rows = random_rows(1000, 5, true);
    const auto whole = select({rows}, 5, 0.3);
    EXPECT_EQ(select({part(rows, 0, 10), part(rows, 10, 10), part(rows, 10, 1000)}, 5, 0.3), whole);
    EXPECT_EQ(select({part(rows, 500, 1000), part(rows, 0, 500)}, 5, 0.3), whole);
}

TEST(QuantileSelection, ByHand) {
    EXPECT_THAT(select({{{3, 1, 2}, {}, {}}}, 1, 0.5), ElementsAre(2));
    EXPECT_THAT(select({{{4, 1, 2, 3}, {}, {}}}, 1, 0.5), ElementsAre(2)) << "two of four have half";
    EXPECT_THAT(select({{{-1, -5}, {1, 3}, {}}}, 1, 0.75), ElementsAre(-5));
    EXPECT_THAT(select({{{-1, -5}, {1, 3}, {}}}, 1, 0.76), ElementsAre(-1));
    EXPECT_THAT(select({{{-0.0}, {}, {}}}, 1, 0.5), ElementsAre(0));
    EXPECT_THAT(select({{{}, {}, {}}}, 2, 0.5), ElementsAre(0, 0)) << "no rows";
    EXPECT_THAT(select({{{7}, {0}, {}}}, 1, 0.5), ElementsAre(0)) << "no mass";
}

TEST(WeightGrid, KeepsRatiosAndStaysInRange) {
    const WeightGrid grid(8, 1000);
    const auto masses = grid.masses(std::vector<double>{8, 4, 0, 1e-300});
    EXPECT_EQ(masses[0], 2 * masses[1]);
    EXPECT_EQ(masses[2], 0);
    EXPECT_EQ(masses[3], 1) << "a weight above zero is not lost";
    EXPECT_GT(masses[0], std::int64_t{1} << 45U);
    EXPECT_LT(static_cast<double>(masses[0]) * 1000, 0x1p62);
    for (const auto& [largest, rows] : {std::pair(1e300, 5e9), std::pair(1e-300, 1.0), std::pair(3.0, 1e15)}) {
        const auto mass = WeightGrid(largest, static_cast<std::uint64_t>(rows)).masses(std::vector{largest})[0];
        EXPECT_GT(mass, 0);
        EXPECT_LE(static_cast<double>(mass) * rows, 0x1p62);
    }
    EXPECT_EQ(WeightGrid(0, 5).masses(std::vector<double>{0, 0}), (std::vector<std::int64_t>{0, 0}));
}

}  // namespace
}  // namespace regrove::objective
