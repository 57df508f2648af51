// Rounded gradients, histograms and partitions equal plain loops.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/train/boosting_histogram.hpp"
#include "regrove/train/boosting_partition.hpp"

#include "support/boosting_tables.hpp"

namespace regrove::train {
namespace {

using test::BinnedShape;
using test::random_binned;
using test::random_gradients;

TEST(BoostingLayout, TilesHoldTheCodesOfAllFeatures) {
    BinnedShape shape;
    shape.rows = 77;
    for (std::uint32_t f = 0; f < 45; ++f) shape.bins.push_back(f % 9 == 8 ? 300 + f : 3 + f);
    const BoostingTable table(random_binned(shape));
    std::size_t seen = 0;
    for (const FeatureTile& tile : table.tiles()) {
        ASSERT_LE(tile.features.size() * tile.code_bytes, 32U);
        for (std::size_t i = 0; i < tile.features.size(); ++i, ++seen) {
            const std::uint32_t f = tile.features[i];
            EXPECT_EQ(table.layout().feature_at[tile.first_position + i], f);
            EXPECT_EQ(table.layout().position_of[f], tile.first_position + i);
            EXPECT_EQ(table.layout().words_of(table.layout().position_of[f]), shape.bins[f] + 1);
            for (std::size_t row = 0; row < shape.rows; ++row) {
                const std::uint8_t* const at = tile.codes.data() + row * tile.stride_bytes + i * tile.code_bytes;
                const std::uint32_t code = tile.code_bytes == 1 ? at[0] : at[0] + 256U * at[1];
                ASSERT_EQ(code, test::code_at(table.column(f), row));
            }
        }
    }
    EXPECT_EQ(seen, shape.bins.size());
}

TEST(BoostingLayout, ColumnsAndTilesHoldTheSameCodesHoweverTheTableIsMade) {
    BinnedShape shape;
    shape.rows = 5000;  // more than are read at a time
    for (std::uint32_t f = 0; f < 40; ++f) shape.bins.push_back(f % 9 == 8 ? 300 + f : 3 + 6 * f);
    const binning::BinnedTable binned = random_binned(shape);
    const BoostingTable with_columns(binned);
    const BoostingTable without(binned, 0);
    const BoostingTable::ReadTile copy = [&](const BoostingTable::TileRows& some, const binning::TileShape& tile,
                                             std::uint8_t* laid) {
        std::copy_n(with_columns.tiles()[some.tile].codes.data() + some.begin * tile.stride_bytes,
                    some.count * tile.stride_bytes, laid);
    };
    const BoostingTable read(binned.bins, shape.rows, copy);
    const BoostingTable read_without(binned.bins, shape.rows, copy, 0);
    for (std::uint32_t f = 0; f < shape.bins.size(); ++f) {
        EXPECT_TRUE(with_columns.column(f).dense());
        EXPECT_TRUE(read.column(f).dense());
        EXPECT_FALSE(without.column(f).dense());
        EXPECT_FALSE(read_without.column(f).dense());
        for (std::size_t row = 0; row < shape.rows; ++row) {
            const std::uint32_t code = test::code_at(binned.codes[f], row);
            for (const BoostingTable* table : {&with_columns, &without, &read, &read_without}) {
                ASSERT_EQ(table->column(f)[row], code);
            }
        }
    }
}

TEST(BoostingGradients, RoundToTheNearestUnit) {
    EXPECT_EQ(nearest_integer(2.5), 2);
    EXPECT_EQ(nearest_integer(3.5), 4);
    EXPECT_EQ(nearest_integer(-2.6), -3);
    EXPECT_EQ(nearest_integer(-0.4), 0);
    EXPECT_EQ(nearest_integer(0x1p50 + 0.75), (std::int64_t{1} << 50) + 1);
}

TEST(BoostingGradients, UnitsArePowersOfTwoThatHoldTheLargest) {
    for (const double largest : {1e-300, 1e-9, 0.24999, 0.25, 0.9999999, 1.0, 32767.0, 32767.4, 32767.6, 3e200}) {
        GradientFacts facts{largest, largest, largest / 2, 1000};
        for (const auto& grid : {packed_grid(facts), wide_grid(facts)}) {
            int exponent = 0;
            EXPECT_EQ(std::frexp(grid.gradient_unit, &exponent), 0.5);
            const double most = grid.packed ? 32767 : 0x1p46;
            const double units = std::nearbyint(largest / grid.gradient_unit);
            EXPECT_LE(units, most);
            if (largest > 1e-290) {
                EXPECT_GT(units, most / 2 - 1);
            }
        }
        EXPECT_LE(std::nearbyint(largest / packed_grid(facts).hessian_unit), 65535);
    }
    EXPECT_EQ(packed_grid({1, 0.3, 0.3, 10}).hessian_unit, 0.3) << "a constant hessian is counted";
}

TEST(BoostingGradients, RowsKeepTheirSumsAndNumbers) {
    auto random = random_gradients(3, 40000);
    random.marks.marks.assign(40000, RowMarks::k_in);
    random.marks.amplification = 4;
    for (std::size_t row = 0; row < 40000; row += 3)
        random.marks.marks[row] = row % 2 == 0 ? RowMarks::k_out : RowMarks::k_amplified;
    for (const bool packed : {true, false}) {
        const auto facts = gradient_facts(random.view());
        TreeRows rows;
        fill_rows(random.view(), packed ? packed_grid(facts) : wide_grid(facts), 5, rows);
        double gradient = 0;
        double hessian = 0;
        std::size_t next = 0;
        for (std::size_t row = 0; row < 40000; ++row) {
            if (!random.marks.takes_part(row)) continue;
            ASSERT_EQ(row_of(rows.entries[next++]), row);
            gradient += random.gradient[row] * random.marks.factor(row);
            hessian += random.hessian[row] * random.marks.factor(row);
        }
        EXPECT_EQ(next, rows.entries.size());
        EXPECT_EQ(facts.rows, next);
        const double error = packed ? 0.02 : 1e-7;  // root of the rows times a third of a unit
        EXPECT_NEAR(static_cast<double>(rows.sums.gradient) * rows.grid.gradient_unit, gradient, error);
        EXPECT_NEAR(static_cast<double>(rows.sums.hessian) * rows.grid.hessian_unit, hessian, error);
        EXPECT_EQ(rows.sums.rows, static_cast<std::int64_t>(next));
        const auto fine = fine_sums(random.view(), wide_grid(facts), rows.entries);
        EXPECT_NEAR(static_cast<double>(fine.gradient) * wide_grid(facts).gradient_unit, gradient, 1e-7);
    }
}

/// Sure rows beside one row that sets the unit: to nearest they would all be zero.
TEST(BoostingGradients, PackedRoundingIsRightInTheMean) {
    constexpr std::size_t k_rows = 100000;
    test::RandomGradients random;
    random.gradient.assign(k_rows, 0x1p-15 * 0.3);
    random.hessian.assign(k_rows, 0x1p-16 * 1.25);
    random.gradient[0] = random.hessian[0] = 0.999;
    const auto facts = gradient_facts(random.view());
    const auto grid = packed_grid(facts);
    ASSERT_EQ(grid.gradient_unit, 0x1p-15);
    ASSERT_EQ(grid.hessian_unit, 0x1p-16);
    TreeRows rows;
    fill_rows(random.view(), grid, 7, rows);
    // Five standard deviations of a sum of draws: 5 sqrt(n p (1 - p)).
    EXPECT_NEAR(static_cast<double>(rows.sums.gradient), 0.3 * k_rows + 32735, 725);
    EXPECT_NEAR(static_cast<double>(rows.sums.hessian), 1.25 * k_rows + 65470, 685);
    const auto other = [&](std::uint64_t key) {
        TreeRows drawn;
        fill_rows(random.view(), grid, key, drawn);
        return drawn.entries;
    };
    EXPECT_EQ(other(7), rows.entries);
    EXPECT_NE(other(8), rows.entries);
    EXPECT_NE(rounding_key(1, 2), rounding_key(1, 3));
}

TEST(BoostingGradients, RowsAreRoundedAlikeOnAnyRank) {
    const auto random = random_gradients(11, 5000);
    const auto grid = packed_grid(gradient_facts(random.view()));
    TreeRows whole;
    TreeRows part;
    fill_rows(random.view(), grid, 3, whole);
    const RowMarks all;
    const auto behind = [&](const std::vector<double>& values) {
        return std::span<const double>(values).subspan(1234);
    };
    fill_rows({behind(random.gradient), behind(random.hessian), &all, 1234}, grid, 3, part);
    ASSERT_EQ(part.entries.size(), 5000U - 1234U);
    for (std::size_t row = 0; row < part.entries.size(); ++row)
        ASSERT_EQ(packed_word(part.entries[row]), packed_word(whole.entries[row + 1234]));
}

TEST(BoostingGradients, WholeNumbersStayAndTheLargestFits) {
    test::RandomGradients random;
    for (int g = -32767; g <= 32767; g += 2) {
        random.gradient.push_back(g);
        random.hessian.push_back(65535 - std::abs(g));
    }
    const auto grid = packed_grid(gradient_facts(random.view()));
    ASSERT_EQ(grid.gradient_unit, 1);
    ASSERT_EQ(grid.hessian_unit, 1);
    TreeRows rows;
    fill_rows(random.view(), grid, 3, rows);
    for (std::size_t row = 0; row < rows.entries.size(); ++row) {
        ASSERT_EQ(gradient_of_word(packed_word(rows.entries[row])), random.gradient[row]);
        ASSERT_EQ(hessian_of_word(packed_word(rows.entries[row])), random.hessian[row]);
    }
    // A largest value between two integers is rounded up at times: the unit leaves room.
    EXPECT_EQ(packed_grid({32767.2, 65535.2, 1, 10}).gradient_unit, 2);
    EXPECT_EQ(packed_grid({32767.2, 65535.2, 1, 10}).hessian_unit, 2);
}

TEST(BoostingGradients, ValuesThatAreNotFiniteAreFound) {
    auto random = random_gradients(3, 20000);
    EXPECT_TRUE(gradient_facts(random.view()).finite);
    for (const double bad : {std::nan(""), -std::numeric_limits<double>::infinity()}) {
        random.gradient[17000] = bad;
        EXPECT_FALSE(gradient_facts(random.view()).finite);
        random.gradient[17000] = 0;
        random.hessian[3] = std::fabs(bad);
        EXPECT_FALSE(gradient_facts(random.view()).finite);
        random.marks.marks.assign(20000, RowMarks::k_in);
        random.marks.marks[3] = RowMarks::k_out;
        EXPECT_TRUE(gradient_facts(random.view()).finite) << "the row takes no part";
        random.marks.marks.clear();
        random.hessian[3] = 1;
    }
    EXPECT_FALSE(merge({1, 1, 1, 1, true}, {1, 1, 1, 1, false}).finite);
}

TEST(BoostingGradients, PackedGridIsLeftForHeavyTails) {
    auto random = random_gradients(4, 70000);
    const auto fine = [&] {
        const auto facts = gradient_facts(random.view());
        TreeRows rows;
        fill_rows(random.view(), packed_grid(facts), 5, rows);
        return packed_is_fine_enough(rows.sums, rows.absolute_gradients, facts.constant_hessian());
    };
    EXPECT_TRUE(fine());
    random.gradient[17] = 1e6;  // the unit becomes so coarse that the others vanish
    EXPECT_FALSE(fine());
}

TEST(BoostingGradients, PackedWordsAddAsPairs) {
    std::int64_t word = 0;
    std::int64_t gradient = 0;
    std::int64_t hessian = 0;
    for (std::uint32_t i = 0; i < k_packed_sum_rows; ++i) {
        const std::int16_t g = i % 7 == 0 ? 32767 : -32768 + 1;
        const std::uint16_t h = 65535;
        word += packed_word((RowEntry{i} << 32U) | (RowEntry{static_cast<std::uint16_t>(g)} << 16U) | h);
        gradient += g;
        hessian += h;
    }
    EXPECT_EQ(gradient_of_word(word), gradient);
    EXPECT_EQ(hessian_of_word(word), hessian);
}

/// All planes of a histogram as sums.
std::vector<GradientSums> read(const Histogram& histogram) {
    std::vector<GradientSums> sums(histogram.words());
    const auto& shape = histogram.shape();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::int64_t first = histogram.plane(0)[i];
        sums[i].gradient = shape.packed ? gradient_of_word(first) : first;
        sums[i].hessian = shape.packed ? hessian_of_word(first) : histogram.plane(1)[i];
        if (shape.counts) sums[i].rows = histogram.plane(shape.planes() - 1)[i];
    }
    return sums;
}

std::vector<GradientSums> by_plain_loop(const BoostingTable& table, const TreeRows& rows,
                                        std::span<const RowEntry> entries, bool counts) {
    std::vector<GradientSums> sums(table.layout().words());
    for (const RowEntry entry : entries) {
        for (std::uint32_t f = 0; f < table.features(); ++f) {
            auto& bin = sums[table.layout().first_word[table.layout().position_of[f]] +
                             test::code_at(table.column(f), row_of(entry))];
            const std::int64_t word = packed_word(entry);
            bin += rows.grid.packed
                       ? GradientSums{gradient_of_word(word), hessian_of_word(word), counts ? 1 : 0}
                       : GradientSums{rows.gradient[row_of(entry)], rows.hessian[row_of(entry)], counts ? 1 : 0};
        }
    }
    return sums;
}

Histogram build(const BoostingTable& table, const TreeRows& rows, const HistogramJob& job) {
    Histogram histogram(job.shape, 0, table.layout().words());
    build_histograms(table, rows, std::span(&job, 1), [&](std::size_t, std::uint32_t position) {
        return histogram.place(table.layout().first_word[position]);
    });
    return histogram;
}

TEST(BoostingHistogram, EqualsAPlainLoopAndSubtracts) {
    for (const std::size_t rows : {1U, 31U, 5000U, 90000U}) {
        BinnedShape shape;
        shape.rows = rows;
        shape.bins = {255, 3, 40, 300, 7};
        for (std::uint32_t f = 0; f < 33; ++f) shape.bins.push_back(2 + f);
        const BoostingTable table(random_binned(shape));
        const auto random = random_gradients(5, rows);
        const auto facts = gradient_facts(random.view());
        for (const bool packed : {true, false}) {
            TreeRows tree;
            fill_rows(random.view(), packed ? packed_grid(facts) : wide_grid(facts), 5, tree);
            for (const bool counts : {false, true}) {
                for (const unsigned threads : {1U, 2U}) {
                    SCOPED_TRACE(testing::Message() << rows << " rows, packed " << packed << ", counts " << counts);
                    set_thread_count(threads);
                    const std::span<const RowEntry> all(tree.entries);
                    const auto some = all.first(rows * 2 / 5);
                    const auto rest = all.subspan(some.size());
                    Histogram whole = build(table, tree, {all, shape_of_node(tree.grid, counts, rows)});
                    ASSERT_EQ(read(whole), by_plain_loop(table, tree, all, counts));
                    const Histogram part = build(table, tree, {some, shape_of_node(tree.grid, counts, some.size())});
                    ASSERT_EQ(read(part), by_plain_loop(table, tree, some, counts));
                    subtract(whole, part, shape_of_node(tree.grid, counts, rest.size()));
                    ASSERT_EQ(whole.shape().packed, packed && rest.size() <= k_packed_sum_rows);
                    ASSERT_EQ(read(whole), by_plain_loop(table, tree, rest, counts));
                }
            }
        }
    }
    set_thread_count(1);
}

TEST(BoostingPartition, KeepsTheOrderOnBothSides) {
    for (const std::size_t rows : {0U, 1U, 2U, 25U, 1000U, 100000U}) {
        BinnedShape shape;
        shape.rows = std::max<std::size_t>(rows, 1);
        shape.bins = {50, 300};
        const BoostingTable table(random_binned(shape));
        const BoostingTable laid(random_binned(shape), 0);
        CodeQuestion range{table.column(0), 20, 31, {}};  // 20 .. 50: the missing code is 50
        CodeQuestion set{table.column(1), 0, 0, std::vector<std::uint8_t>(301, 0)};
        for (std::size_t code = 0; code < 301; code += 3) set.goes_right[code] = 1;
        CodeQuestion range_in_tile = range;
        range_in_tile.column = laid.column(0);
        CodeQuestion set_in_tile = set;
        set_in_tile.column = laid.column(1);
        for (const CodeQuestion& question : {range, set, range_in_tile, set_in_tile}) {
            for (const unsigned threads : {1U, 2U}) {
                set_thread_count(threads);
                std::vector<RowEntry> entries(rows);
                for (std::size_t i = 0; i < rows; ++i) entries[i] = (RowEntry{i} << 32U) | (i % 1000);
                std::vector<RowEntry> left;
                std::vector<RowEntry> right;
                for (const RowEntry e : entries) {
                    (question.right(test::code_at(question.column, row_of(e))) ? right : left).push_back(e);
                }
                const std::size_t lefts = left.size();
                left.insert(left.end(), right.begin(), right.end());
                std::vector<RowEntry> to(rows);
                PartitionJob job{entries, to, &question, 99};
                partition(std::span(&job, 1));
                EXPECT_EQ(job.left, lefts);
                ASSERT_EQ(to, left);
            }
        }
    }
    set_thread_count(1);
}

}  // namespace
}  // namespace regrove::train
