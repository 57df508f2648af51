// Attributions and partial dependence by all ranks have the very bits of plain loops over the whole table.
#include "regrove/dist/row_shap.hpp"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/algebra/pair_shap.hpp"
#include "regrove/algebra/path_shap.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/background_rows.hpp"
#include "regrove/dist/partial_dependence.hpp"
#include "regrove/infer/predictor.hpp"

#include "support/mpi_world.hpp"
#include "support/score_ensemble.hpp"

namespace regrove {
namespace {

using test::world;

constexpr std::uint64_t k_seed = 5;

/// Codes of one category more than the model's dictionary has.
std::vector<std::int32_t> codes(const std::vector<std::vector<double>>& rows, std::size_t feature,
                                std::int32_t unknown) {
    std::vector<std::int32_t> cells;
    for (const auto& row : rows) {
        const double cell = row[feature];
        cells.push_back(std::isnan(cell) ? data::k_missing_category
                                         : (cell < 0 ? unknown : static_cast<std::int32_t>(cell)));
    }
    return cells;
}

/// Every seventh row of all cells.
data::TableShard whole_table() {
    const auto all = test::all_cells();
    std::vector<std::vector<double>> rows;
    for (std::size_t i = 0; i < all.size(); i += 7) rows.push_back(all[i]);
    data::TableShard table;
    table.rows = table.global_rows = rows.size();
    using data::ColumnRole;
    using data::ColumnType;
    for (const char* name : {"a", "b"}) {
        table.schema.columns.push_back({name, ColumnType::float64, ColumnRole::feature, {}});
        std::vector<double> cells;
        for (const auto& row : rows) cells.push_back(row[table.values.size()]);
        table.values.emplace_back(std::move(cells));
    }
    table.schema.columns.push_back({"c", ColumnType::category, ColumnRole::feature, {"p", "q", "r", "s", "new"}});
    table.values.emplace_back(codes(rows, 2, 4));
    table.schema.columns.push_back({"d", ColumnType::category, ColumnRole::feature, {"x", "y", "z", "new"}});
    table.values.emplace_back(codes(rows, 3, 3));
    return table;
}

/// Uneven shares; with three ranks or more, rank 1 has no rows.
data::TableShard share(const data::TableShard& table) {
    const auto ranks = static_cast<std::size_t>(world().size());
    const auto cut = [&](std::size_t r) {
        if (ranks >= 3 && r == 2) r = 1;
        return table.rows * r * r / (ranks * ranks);
    };
    const auto rank = static_cast<std::size_t>(world().rank());
    return data::slice(table, cut(rank), cut(rank + 1));
}

model::Ensemble scoring(std::uint32_t classes, bool surrogates) {
    test::ScoreEnsembleShape shape;
    shape.seed = 11;
    shape.trees = 6;
    shape.classes = classes;
    shape.surrogates = surrogates;
    return test::score_ensemble(shape);
}

/// What explain_rows() should give this rank, from the attributions of single rows.
void expect_rows(const algebra::ShapValues& shap, const model::Ensemble& ensemble, const data::TableShard& table) {
    const data::TableShard own = share(table);
    const auto result = dist::explain_rows(world(), shap, ensemble, own, true);
    const std::size_t columns = shap.scores().count() * shap.features().size();
    std::vector<ExactSum> sizes(columns);
    std::vector<ExactSum> sums(columns);
    const infer::Binding binding(ensemble, table.schema);
    ASSERT_EQ(result.phi.size(), columns);
    std::vector<double> phi(columns);
    std::vector<double> cells;
    for (std::size_t row = 0; row < table.rows; ++row) {
        binding.fill(table, row, row + 1, cells);
        shap.explain(cells, row, phi);
        for (std::size_t i = 0; i < columns; ++i) {
            sizes[i].add(std::abs(phi[i]));
            sums[i].add(phi[i]);
            if (row < own.first_row || row >= own.first_row + own.rows) continue;
            ASSERT_EQ(result.phi[i][row - own.first_row], phi[i]);
        }
    }
    const auto rows = static_cast<double>(table.rows);
    for (std::size_t i = 0; i < columns; ++i) {
        EXPECT_EQ(result.mean_size[i], sizes[i].value() / rows);
        EXPECT_EQ(result.mean[i], sums[i].value() / rows);
    }
    for (std::size_t k = 0; k < shap.scores().count(); ++k) {
        EXPECT_LE(result.largest_remainder[k], shap.remainder_bound()[k]);
        EXPECT_LT(shap.remainder_bound()[k], 1e-10);
    }
}

TEST(RowShap, OfAllRanksHasTheBitsOfSingleRows) {
    const data::TableShard table = whole_table();
    for (const unsigned threads : {1U, 2U}) {
        set_thread_count(threads);
        for (const std::uint32_t classes : {2U, 3U}) {
            const model::Ensemble plain = scoring(classes, false);
            const auto covers = dist::counted_covers(world(), plain, share(table));
            expect_rows(algebra::PathShap(plain, covers), plain, table);
            const model::Ensemble backed = scoring(classes, true);
            const auto background = dist::background_cells(world(), backed, share(table), 9, k_seed);
            expect_rows(algebra::PairShap(backed, background), backed, table);
        }
    }
    set_thread_count(1);
}

TEST(RowShap, KeepsNoRowsWhenNotAsked) {
    const model::Ensemble ensemble = scoring(2, false);
    const data::TableShard table = whole_table();
    const algebra::PathShap shap(ensemble, dist::counted_covers(world(), ensemble, share(table)));
    const auto kept = dist::explain_rows(world(), shap, ensemble, share(table), true);
    const auto result = dist::explain_rows(world(), shap, ensemble, share(table), false);
    for (const auto& column : result.phi) EXPECT_TRUE(column.empty());
    EXPECT_EQ(result.mean_size, kept.mean_size);
    EXPECT_THROW(dist::explain_rows(world(), shap, ensemble, data::slice(table, 0, 0), true), InputError);
}

TEST(BackgroundRows, AreTheSameOnAnyNumberOfRanks) {
    const model::Ensemble ensemble = scoring(2, true);
    const data::TableShard table = whole_table();
    const auto alone = comm::make_self_communicator();
    const auto bits = [](const std::vector<double>& cells) {
        std::vector<std::uint64_t> all;
        for (const double cell : cells) all.push_back(std::bit_cast<std::uint64_t>(cell));
        return all;
    };
    for (const std::uint64_t most : {1U, 20U, 100000U}) {
        const auto own = dist::background_cells(world(), ensemble, share(table), most, k_seed);
        EXPECT_EQ(own.size(), std::min(most, table.rows) * 4);
        EXPECT_EQ(bits(own), bits(dist::background_cells(*alone, ensemble, table, most, k_seed)));
    }
    EXPECT_NE(bits(dist::background_cells(*alone, ensemble, table, 20, k_seed)),
              bits(dist::background_cells(*alone, ensemble, table, 20, k_seed + 1)));
    EXPECT_EQ(dist::counted_covers(world(), ensemble, share(table)), dist::counted_covers(*alone, ensemble, table));
    const auto covers = dist::counted_covers(world(), ensemble, share(table));
    for (const auto& tree : covers) EXPECT_EQ(tree.front(), static_cast<double>(table.rows));
}

/// The table with one column's cells all alike.
void hold(data::TableShard& table, std::size_t column, double cell) {
    if (column < 2)
        table.values[column] = std::vector<double>(table.rows, cell);
    else
        table.values[column] = std::vector<std::int32_t>(
            table.rows, std::isnan(cell) ? data::k_missing_category : static_cast<std::int32_t>(cell));
}

/// Mean answers by predicting the table with the columns held.
std::vector<double> plain_dependence(const model::Ensemble& ensemble, const data::TableShard& table,
                                     const std::vector<std::pair<std::size_t, double>>& held, bool raw) {
    data::TableShard changed = table;
    for (const auto& [column, cell] : held) hold(changed, column, cell);
    const infer::Predictor predictor(ensemble, changed.schema);
    const auto leaves = predictor.leaves(changed);
    const auto answers = raw ? predictor.raw(leaves) : predictor.probabilities(leaves);
    std::vector<ExactSum> sums(answers.size() / table.rows);
    for (std::size_t i = 0; i < answers.size(); ++i) sums[i % sums.size()].add(answers[i]);
    std::vector<double> means;
    for (const ExactSum& sum : sums) means.push_back(sum.value() / static_cast<double>(table.rows));
    return means;
}

TEST(PartialDependence, HasTheBitsOfPredictingChangedTables) {
    const data::TableShard table = whole_table();
    for (const bool raw : {false, true}) {
        const model::Ensemble ensemble = scoring(3, true);
        for (std::uint32_t f = 0; f < 4; ++f) {
            const dist::GridFeature feature{FeatureId{f}, infer::feature_grid(ensemble, FeatureId{f}, 50)};
            const auto means = dist::partial_dependence(world(), ensemble, share(table), {feature},
                                                        raw ? dist::Response::raw : dist::Response::answer);
            std::vector<double> expected;
            for (const infer::GridPoint& point : feature.points)
                for (const double mean : plain_dependence(ensemble, table, {{f, point.cell}}, raw))
                    expected.push_back(mean);
            EXPECT_EQ(means, expected) << "feature " << f;
        }
    }
}

TEST(PartialDependence, OfTwoFeaturesHoldsBoth) {
    const data::TableShard table = whole_table();
    const model::Ensemble ensemble = scoring(2, true);
    const dist::GridFeature number{FeatureId{1}, infer::feature_grid(ensemble, FeatureId{1}, 50)};
    const dist::GridFeature category{FeatureId{2}, infer::feature_grid(ensemble, FeatureId{2}, 50)};
    const auto means =
        dist::partial_dependence(world(), ensemble, share(table), {number, category}, dist::Response::answer);
    std::vector<double> expected;
    for (const infer::GridPoint& outer : number.points)
        for (const infer::GridPoint& inner : category.points)
            for (const double mean : plain_dependence(ensemble, table, {{1, outer.cell}, {2, inner.cell}}, false))
                expected.push_back(mean);
    EXPECT_EQ(means, expected);
    EXPECT_GT(number.points.size() * category.points.size(), 8U);
    EXPECT_THROW(
        dist::partial_dependence(world(), ensemble, data::slice(table, 0, 0), {number}, dist::Response::answer),
        InputError);
}

}  // namespace
}  // namespace regrove
