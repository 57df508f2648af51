// A table binned by all ranks equals the one binned by sorting everything, however its rows are spread.
#include "regrove/dist/bin_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/dist/bin_boundaries.hpp"

#include "support/mpi_world.hpp"

namespace regrove {
namespace {

using binning::BinnedTable;
using binning::Bins;
using dist::TrainingSet;
using test::world;

const double k_nan = std::nan("");

template <class T>
void add_numbers(TrainingSet& set, std::vector<T> cells) {
    set.features.push_back({"f" + std::to_string(set.features.size()), model::FeatureKind::numeric, {}, {}});
    set.columns.emplace_back(std::move(cells));
}

/// Every kind of column, with the oddities that a column may have; a fifth of the rows left out if asked.
TrainingSet random_set(std::uint64_t seed, std::size_t rows, bool leave_out) {
    TrainingSet set;
    const CounterRandom random(seed, 1);
    std::vector<double> normal(rows), few(rows), empty(rows, k_nan), constant(rows, 2.5), wild(rows), zeros(rows);
    std::vector<float> narrow(rows), tiny(rows);
    std::vector<std::int32_t> whole(rows), colour(rows);
    std::vector<std::int64_t> stamps(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto at = [&](std::uint64_t stream) { return 16 * row + stream; };
        const bool missing = random.below(at(0), 6) == 0;
        normal[row] = missing ? k_nan : random.normal(at(1));
        few[row] = missing ? k_nan : static_cast<double>(random.below(at(2), 5)) * 0.1 - 0.2;
        wild[row] = std::ldexp(random.normal(at(3)), static_cast<int>(random.below(at(4), 2090)) - 1070);
        zeros[row] = random.below(at(5), 10) < 7 ? (row % 2 == 0 ? 0.0 : -0.0) : random.normal(at(6));
        narrow[row] = static_cast<float>(missing ? k_nan : static_cast<double>(random.below(at(7), 300)) / 7 - 20);
        tiny[row] = static_cast<float>(random.below(at(8), 2000)) * std::numeric_limits<float>::denorm_min() *
                    (row % 3 == 0 ? -1.0F : 1.0F);
        whole[row] = missing ? data::k_missing_int32 : static_cast<std::int32_t>(random.below(at(9), 700)) - 350;
        stamps[row] = missing ? data::k_missing_int64
                              : static_cast<std::int64_t>(random.below(at(10), 40000000000)) - 20000000000;
        colour[row] = static_cast<std::int32_t>(random.below(at(11), 4)) - 1;
    }
    add_numbers(set, normal);
    add_numbers(set, few);
    add_numbers(set, empty);
    add_numbers(set, constant);
    add_numbers(set, wild);
    set.features.push_back({"colour", model::FeatureKind::category, {}, {"r", "g", "b", "never"}});
    set.columns.emplace_back(colour);
    add_numbers(set, zeros);
    add_numbers(set, narrow);
    add_numbers(set, tiny);
    add_numbers(set, whole);
    add_numbers(set, stamps);
    set.target.layout.classes = 2;
    set.target.classes.resize(rows);
    for (std::size_t row = 0; leave_out && row < rows; ++row)
        set.left_out.push_back(random.below(16 * row + 12, 5) == 0);
    set.global_rows = rows;
    return set;
}

TrainingSet slice(const TrainingSet& set, std::size_t begin, std::size_t end) {
    TrainingSet part = set;
    for (auto& column : part.columns) {
        std::visit(
            [&](auto& cells) { cells = std::decay_t<decltype(cells)>(cells.begin() + begin, cells.begin() + end); },
            column);
    }
    part.target.classes.resize(end - begin);
    if (!set.left_out.empty()) part.left_out.assign(set.left_out.begin() + begin, set.left_out.begin() + end);
    return part;
}

std::pair<std::size_t, std::size_t> share(std::size_t rows, int rank, int ranks) {
    // Uneven; with three ranks or more, rank 1 has no rows.
    const auto cut = [&](int r) -> std::size_t {
        if (r == 0) return 0;
        if (r >= ranks) return rows;
        if (ranks >= 3 && r == 2) r = 1;
        return rows * static_cast<std::size_t>(r * r) / static_cast<std::size_t>(ranks * ranks);
    };
    return {cut(rank), cut(rank + 1)};
}

bool left_out(const TrainingSet& set, std::size_t row) { return !set.left_out.empty() && set.left_out[row]; }

double cell(const TrainingSet& set, std::size_t feature, std::size_t row) {
    const bool category = set.features[feature].kind == model::FeatureKind::category;
    const auto& values = set.columns[feature];
    const data::ColumnType numeric[] = {data::ColumnType::float32, data::ColumnType::float64, data::ColumnType::int32,
                                        data::ColumnType::int64};
    const auto value = data::as_double(category ? data::ColumnType::category : numeric[values.index()], values, row);
    return value == 0 ? 0.0 : value;
}

/// The definition, word by word, on the whole table.
Bins expected_bins(const TrainingSet& set, std::size_t feature, std::uint32_t max_bin) {
    Bins bins;
    if (set.features[feature].kind == model::FeatureKind::category) {
        bins.category = true;
        bins.count = static_cast<std::uint32_t>(set.features[feature].categories.size());
        return bins;
    }
    std::vector<double> sorted;
    for (std::size_t row = 0; row < set.rows(); ++row) {
        const double value = cell(set, feature, row);
        if (!std::isnan(value) && !left_out(set, row)) sorted.push_back(value);
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> distinct = sorted;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (distinct.size() <= max_bin) {
        bins.low = bins.high = distinct;
    } else {
        for (std::size_t j = 0; j < max_bin; ++j) {
            const std::size_t place = ((j + 1) * sorted.size() + max_bin - 1) / max_bin;
            const double high = sorted[place - 1];
            if (!bins.high.empty() && bins.high.back() == high) continue;
            bins.low.push_back(bins.high.empty()
                                   ? sorted[0]
                                   : *std::upper_bound(distinct.begin(), distinct.end(), bins.high.back()));
            bins.high.push_back(high);
        }
    }
    bins.count = static_cast<std::uint32_t>(bins.high.size());
    return bins;
}

std::uint32_t expected_code(const Bins& bins, double value) {
    if (std::isnan(value) || bins.count == 0) return bins.missing_code();
    if (bins.category) return static_cast<std::uint32_t>(value);
    std::uint32_t bin = 0;
    while (bin + 1 < bins.count && bins.high[bin] < value) ++bin;
    return bin;
}

std::uint32_t code_at(const binning::Codes& codes, std::size_t row) {
    return std::visit([&](const auto& own) { return static_cast<std::uint32_t>(own[row]); }, codes);
}

/// `part` holds this rank's rows of `whole`.
void check_table(const BinnedTable& table, const TrainingSet& part, const TrainingSet& whole, std::uint32_t max_bin) {
    ASSERT_EQ(table.bins.size(), whole.features.size());
    ASSERT_EQ(table.codes.size(), whole.features.size());
    ASSERT_EQ(table.rows, part.rows());
    for (std::size_t f = 0; f < whole.features.size(); ++f) {
        SCOPED_TRACE("feature " + std::to_string(f) + ", max_bin " + std::to_string(max_bin));
        const Bins expected = expected_bins(whole, f, max_bin);
        const Bins& bins = table.bins[f];
        EXPECT_EQ(bins, expected);
        for (const double low : bins.low) EXPECT_FALSE(low == 0 && std::signbit(low));
        EXPECT_EQ(std::visit([](const auto& codes) { return codes.size(); }, table.codes[f]), part.rows());
        EXPECT_EQ(table.codes[f].index(), expected.count < 256 ? 0U : (expected.count < 65536 ? 1U : 2U));
        for (std::size_t row = 0; row < part.rows(); ++row) {
            const double value = cell(part, f, row);
            const std::uint32_t code = code_at(table.codes[f], row);
            ASSERT_EQ(code, expected_code(expected, value)) << "row " << row;
            if (std::isnan(value) || left_out(part, row) || bins.category) continue;
            ASSERT_LE(bins.low[code], value);
            ASSERT_GE(bins.high[code], value);
        }
    }
}

TrainingSet own_share(const TrainingSet& whole) {
    const auto [begin, end] = share(whole.rows(), world().rank(), world().size());
    return slice(whole, begin, end);
}

TEST(BinTable, EqualsSortingTheWholeTableOnAnyNumberOfRanksAndThreads) {
    for (const bool leave_out : {false, true}) {
        for (const std::size_t rows : {3U, 400U, 12000U}) {
            const TrainingSet whole = random_set(rows, rows, leave_out);
            const TrainingSet part = own_share(whole);
            for (const std::uint32_t max_bin : {2U, 5U, 255U, 256U, 1000U}) {
                SCOPED_TRACE(rows);
                set_thread_count(1 + max_bin % 2);
                check_table(dist::bin_table(world(), part, max_bin), part, whole, max_bin);
            }
        }
    }
    set_thread_count(1);
}

TEST(BinTable, FewFeaturesAreDividedAmongThreads) {
    const TrainingSet all = random_set(9, 20000, true);
    TrainingSet whole = all;
    whole.features.resize(1);
    whole.columns.resize(1);
    const TrainingSet part = own_share(whole);
    set_thread_count(4);
    check_table(dist::bin_table(world(), part, 100), part, whole, 100);
    set_thread_count(1);
}

TEST(BinTable, RowsOfSeparateRanksMayHoldSeparateValues) {
    // Each rank knows of few values; together they are too many for a bin each.
    auto& comm = world();
    TrainingSet whole;
    std::vector<double> cells;
    for (int rank = 0; rank < comm.size(); ++rank) {
        for (int row = 0; row < 60; ++row) cells.push_back(rank * 100 + row % 6);
    }
    add_numbers(whole, cells);
    whole.target.layout.classes = 2;
    whole.target.classes.resize(cells.size());
    whole.global_rows = cells.size();
    const auto begin = static_cast<std::size_t>(comm.rank()) * 60;
    const TrainingSet part = slice(whole, begin, begin + 60);
    for (const std::uint32_t max_bin : {6U, 11U, 12U, 24U}) {
        check_table(dist::bin_table(comm, part, max_bin), part, whole, max_bin);
    }
}

TEST(BinTable, BoundariesDoNotDependOnTheSizesOfTheSearch) {
    const TrainingSet whole = random_set(5, 9000, true);
    const TrainingSet part = own_share(whole);
    const std::vector<std::size_t> features{0, 4, 8, 10};
    const auto expected = dist::find_boundaries(world(), part, features, 50);
    for (const binning::QuantileSizes& sizes :
         {binning::QuantileSizes{16, 8, std::size_t{1} << 20U, 0}, binning::QuantileSizes{4, 5, 200, 3}}) {
        const auto found = dist::find_boundaries(world(), part, features, 50, sizes);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_EQ(found[i].feature, expected[i].feature);
            EXPECT_EQ(found[i].keys, expected[i].keys);
            EXPECT_EQ(found[i].keys.size(), 50U);
        }
    }
}

TEST(BinTable, EveryBinOfDistinctValuesHoldsNearlyEqualRows) {
    const TrainingSet whole = random_set(7, 12000, false);
    const TrainingSet part = own_share(whole);
    const BinnedTable table = dist::bin_table(world(), part, 64);
    std::vector<std::uint64_t> rows(65, 0);
    for (std::size_t row = 0; row < part.rows(); ++row) rows[code_at(table.codes[0], row)] += 1;
    world().sum(std::span<std::uint64_t>(rows));
    const std::uint64_t with_value = 12000 - rows.back();
    rows.pop_back();
    const auto [fewest, most] = std::minmax_element(rows.begin(), rows.end());
    EXPECT_GE(*fewest, with_value / 64);
    EXPECT_LE(*most, with_value / 64 + 1);
}

TEST(BinTable, BytesSentDoNotGrowWithTheRows) {
    auto& comm = world();
    TrainingSet whole = random_set(11, 60000, false);
    whole.features.resize(1);
    whole.columns.resize(1);
    const TrainingSet part = own_share(whole);
    const auto before = comm.traffic().bytes;
    dist::bin_table(comm, part, 16);
    // docs/binning.md: a table of 2^16 counts, one of 16 * 2^8, at most 2^16 / 8 keys, and small change.
    const std::uint64_t others = static_cast<std::uint64_t>(comm.size()) - 1;
    const std::uint64_t tables = 8 * 2 * ((1U << 16U) + 4 * 16 * 256);
    EXPECT_LE(comm.traffic().bytes - before, tables + others * (8 * (1U << 13U) + 4096));
}

TEST(BinExactly, HasABinForEveryValue) {
    for (const bool leave_out : {false, true}) {
        for (const std::size_t rows : {1U, 400U, 3000U}) {
            const TrainingSet set = random_set(rows + 1, rows, leave_out);
            check_table(dist::bin_exactly(set), set, set, std::numeric_limits<std::uint32_t>::max());
        }
    }
    TrainingSet long_one;
    std::vector<std::int32_t> cells(70000);
    for (std::size_t row = 0; row < cells.size(); ++row) cells[row] = static_cast<std::int32_t>(row * 7919 % 70000);
    add_numbers(long_one, cells);
    long_one.target.layout.classes = 2;
    long_one.target.classes.resize(cells.size());
    const BinnedTable table = dist::bin_exactly(long_one);
    const auto& codes = std::get<std::vector<std::uint32_t>>(table.codes[0]);
    EXPECT_EQ(table.bins[0].count, 70000U);
    for (std::size_t row = 0; row < codes.size(); ++row) ASSERT_EQ(codes[row], row * 7919 % 70000);
}

}  // namespace
}  // namespace regrove
