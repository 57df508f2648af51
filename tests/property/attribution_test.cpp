// nu and Shapley values against their definitions: plain sums over monomials, and all subsets of features.
#include "regrove/algebra/attribution.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/algebra/ensemble_polynomial.hpp"
#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/algebra/row_attribution.hpp"
#include "regrove/algebra/wide_integer.hpp"

#include "support/score_ensemble.hpp"

namespace regrove::algebra {
namespace {

constexpr std::size_t k_features = 4;
using Cells = std::vector<double>;

/// Some cells of test::all_cells, with repetitions, and the same as a table of the features' columns.
struct Rows {
    explicit Rows(std::uint64_t seed, std::size_t count) {
        const auto all = test::all_cells();
        const CounterRandom random(seed, 91);
        for (std::size_t row = 0; row < count; ++row) cells.push_back(all[random.below(row, all.size())]);
        using data::ColumnRole;
        using data::ColumnType;
        // Unknown categories have names of their own, which only the table knows.
        shard.schema.columns = {{"a", ColumnType::float64, ColumnRole::feature, {}},
                                {"b", ColumnType::float32, ColumnRole::feature, {}},
                                {"c", ColumnType::category, ColumnRole::feature, {"p", "q", "r", "s", "new"}},
                                {"d", ColumnType::category, ColumnRole::feature, {"x", "y", "z", "new"}}};
        std::vector<double> a;
        std::vector<float> b;
        std::vector<std::int32_t> c;
        std::vector<std::int32_t> d;
        for (const Cells& row : cells) {
            a.push_back(row[0]);
            b.push_back(static_cast<float>(row[1]));
            c.push_back(code(row[2], 4));
            d.push_back(code(row[3], 3));
        }
        shard.values = {a, b, c, d};
        shard.rows = shard.global_rows = count;
    }
    static std::int32_t code(double cell, std::int32_t unknown) {
        if (std::isnan(cell)) return data::k_missing_category;
        return cell < 0 ? unknown : static_cast<std::int32_t>(cell);
    }
    std::vector<Cells> cells;
    data::TableShard shard;
};

bool monomial_holds(const Polynomial& polynomial, std::size_t m, const Cells& cells) {
    return std::ranges::all_of(polynomial.monomial(m), [&](ConditionId id) {
        return holds(polynomial.conditions[id], cells[index(polynomial.conditions[id].feature)]);
    });
}

std::vector<std::uint64_t> plain_counts(const Polynomial& polynomial, const Rows& rows) {
    std::vector<std::uint64_t> counts(polynomial.size(), 0);
    for (std::size_t m = 0; m < polynomial.size(); ++m)
        for (const Cells& cells : rows.cells) counts[m] += monomial_holds(polynomial, m, cells) ? 1 : 0;
    return counts;
}

/// The score of a cell as exact sums have it.
double score_of(const Polynomial& polynomial, Int128 units) {
    return to_double(WideInteger(units), polynomial.unit_exponent, {}) / polynomial.divisor;
}

test::ScoreEnsembleShape shape_of(std::uint64_t seed) {
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.depth = 1 + static_cast<unsigned>(seed % 5);
    shape.surrogates = shape.depth < 4;
    shape.classes = seed % 3 == 0 ? 3 : 2;
    shape.one_score_a_tree = seed % 2 == 0;
    return shape;
}

/// What the plain scores of the ensemble are where the features of a set play and the others stand at the baseline.
class Game {
  public:
    Game(const model::Ensemble& ensemble, const Cells& row) {
        const Cells baseline{-1.5, -1.5, -1, -1};
        for (std::size_t set = 0; set < (1U << k_features); ++set) {
            Cells cells = baseline;
            for (std::size_t f = 0; f < k_features; ++f)
                if ((set >> f & 1U) != 0) cells[f] = row[f];
            worth_.push_back(test::plain_scores(ensemble, cells));
        }
    }
    /// Shapley 1953: the mean over all orders of what a feature adds to those before it.
    double shapley(std::size_t feature, std::size_t score) const {
        const std::vector<double> factorial{1, 1, 2, 6, 24};
        double sum = 0;
        for (std::size_t set = 0; set < worth_.size(); ++set) {
            if ((set >> feature & 1U) != 0) continue;
            const auto size = static_cast<std::size_t>(__builtin_popcountll(set));
            const double weight = factorial[size] * factorial[k_features - size - 1] / factorial[k_features];
            sum += weight * (worth_[set | (std::size_t{1} << feature)][score] - worth_[set][score]);
        }
        return sum;
    }
    double gain(std::size_t score) const { return worth_.back()[score] - worth_.front()[score]; }

  private:
    std::vector<std::vector<double>> worth_;
};

TEST(Attribution, NuIsThePlainSumOverMonomials) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        const Polynomial polynomial = to_polynomial(test::score_ensemble(shape_of(seed)), {});
        const Rows rows(seed, 37);
        const auto counts = plain_counts(polynomial, rows);
        const auto by_feature = attributions(polynomial, counts, 37, {Credit::whole, Subject::feature});
        const auto by_condition = attributions(polynomial, counts, 37, {Credit::whole, Subject::condition});
        std::vector<double> features(k_features * polynomial.scores, 0);
        std::vector<double> conditions(polynomial.conditions.size() * polynomial.scores, 0);
        for (std::size_t m = 0; m < polynomial.size(); ++m)
            for (std::uint32_t k = 0; k < polynomial.scores; ++k) {
                const double part =
                    score_of(polynomial, polynomial.coefficient(m)[k]) * static_cast<double>(counts[m]) / 37;
                for (const ConditionId id : polynomial.monomial(m)) {
                    conditions[id * polynomial.scores + k] += part;
                    features[index(polynomial.conditions[id].feature) * polynomial.scores + k] += part;
                }
            }
        ASSERT_EQ(by_feature.size(), features.size());
        ASSERT_EQ(by_condition.size(), conditions.size());
        for (std::size_t i = 0; i < features.size(); ++i) EXPECT_NEAR(by_feature[i], features[i], 1e-12);
        for (std::size_t i = 0; i < conditions.size(); ++i) EXPECT_NEAR(by_condition[i], conditions[i], 1e-12);
    }
}

TEST(Attribution, SharedCreditIsTheShapleyValueByAllSubsets) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        const model::Ensemble ensemble = test::score_ensemble(shape_of(seed));
        const Polynomial polynomial = to_polynomial(ensemble, {});
        const Rows rows(seed, 25);
        const auto values =
            attributions(polynomial, plain_counts(polynomial, rows), 25, {Credit::shared, Subject::feature});
        const model::Ensemble asking = asking_ensemble(polynomial);
        const infer::Binding binding(asking, rows.shard.schema);
        const RowAttributions by_row = row_attributions(polynomial, binding, rows.shard);
        std::vector<double> mean(values.size(), 0);
        for (std::size_t row = 0; row < rows.cells.size(); ++row) {
            const Game game(ensemble, rows.cells[row]);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double expected = game.shapley(i / polynomial.scores, i % polynomial.scores);
                ASSERT_NEAR(by_row.values[row * values.size() + i], expected, 1e-12) << row << ' ' << i;
                mean[i] += expected / 25;
            }
        }
        for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], mean[i], 1e-12) << i;
    }
}

/// In fixed point: the sum of the rows' scores is the sum of coefficient times count, to the last bit.
TEST(Attribution, ExpectedScoreIsTheMeanOfTheScoresExactly) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        const model::Ensemble ensemble = test::score_ensemble(shape_of(seed));
        const Polynomial polynomial = to_polynomial(ensemble, {});
        const Rows rows(seed, 61);
        const auto expected = expected_scores(polynomial, plain_counts(polynomial, rows), 61);
        std::vector<WideInteger> sums(polynomial.scores);
        std::vector<ExactSum> plain(polynomial.scores);
        for (const Cells& cells : rows.cells) {
            const auto units = scores_at(polynomial, cells);
            const auto scores = test::exact_scores(ensemble, cells);
            for (std::uint32_t k = 0; k < polynomial.scores; ++k) {
                sums[k].add(WideInteger(units[k]));
                plain[k].merge(scores[k]);
            }
        }
        const std::vector<std::uint64_t> rows_count{61};
        for (std::uint32_t k = 0; k < polynomial.scores; ++k) {
            EXPECT_EQ(expected[k], to_double(sums[k], polynomial.unit_exponent, rows_count));
            EXPECT_EQ(plain[k].value(), to_double(sums[k], polynomial.unit_exponent, {}));
        }
    }
}

TEST(Attribution, SharesAddUpAndRowsToo) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const model::Ensemble ensemble = test::score_ensemble(shape_of(seed));
        const Polynomial polynomial = to_polynomial(ensemble, {});
        const Rows rows(seed, 130);
        const auto counts = plain_counts(polynomial, rows);
        const auto shares = attributions(polynomial, counts, 130, {Credit::shared, Subject::feature});
        const auto expected = expected_scores(polynomial, counts, 130);
        const auto baseline = baseline_scores(polynomial);
        const model::Ensemble asking = asking_ensemble(polynomial);
        const infer::Binding binding(asking, rows.shard.schema);
        const RowAttributions by_row = row_attributions(polynomial, binding, rows.shard);
        for (std::uint32_t k = 0; k < polynomial.scores; ++k) {
            double sum = baseline[k];
            for (std::size_t f = 0; f < k_features; ++f) sum += shares[f * polynomial.scores + k];
            EXPECT_NEAR(sum, expected[k], 1e-13);
            for (std::size_t row = 0; row < rows.cells.size(); ++row) {
                const double score = by_row.scores[row * polynomial.scores + k];
                EXPECT_EQ(score, test::plain_scores(ensemble, rows.cells[row])[k]);
                double own = baseline[k];
                for (std::size_t f = 0; f < k_features; ++f)
                    own += by_row.values[(row * k_features + f) * polynomial.scores + k];
                EXPECT_NEAR(own, score, 1e-13);
            }
        }
    }
}

/// Large sets that overlap: one monomial has two conditions of one feature. The feature gets credit once.
TEST(Attribution, AFeatureOfTwoConditionsIsCreditedOnce) {
    Polynomial polynomial;
    polynomial.frame.features = {{"c", model::FeatureKind::category, model::NumericPrecision::float64, {"p", "q"}},
                                 {"a", model::FeatureKind::numeric, model::NumericPrecision::float64, {}}};
    polynomial.conditions = ConditionTable({{FeatureId{0}, ConditionKind::within, 0, 0, {0b01}},
                                            {FeatureId{0}, ConditionKind::within, 0, 0, {0b11}},
                                            {FeatureId{1}, ConditionKind::above, 0.5, 0, {}}});
    const std::vector<ConditionId> monomial{0, 1, 2};
    const std::vector<Int128> coefficient{12};
    polynomial.push_back(monomial, coefficient);
    const std::vector<std::uint64_t> counts{3};
    using Values = std::vector<double>;
    EXPECT_EQ(attributions(polynomial, counts, 4, {Credit::whole, Subject::feature}), (Values{9, 9}));
    EXPECT_EQ(attributions(polynomial, counts, 4, {Credit::shared, Subject::feature}), (Values{4.5, 4.5}));
    EXPECT_EQ(attributions(polynomial, counts, 4, {Credit::whole, Subject::condition}), (Values{9, 9, 9}));
    EXPECT_EQ(attributions(polynomial, counts, 4, {Credit::shared, Subject::condition}), (Values{3, 3, 3}));
    polynomial.divisor = 0.75;
    EXPECT_EQ(attributions(polynomial, counts, 4, {Credit::shared, Subject::feature}), (Values{6, 6}));
}

/// Thirds, fifths and sevenths of coefficients that cancel: a sum of rounded parts would not be 0.
TEST(Attribution, SharesOfManySizesAreRoundedOnce) {
    Polynomial polynomial;
    std::vector<Condition> conditions;
    for (std::uint32_t f = 0; f < 7; ++f) {
        polynomial.frame.features.push_back({std::string("f") + std::to_string(f), {}, {}, {}});
        conditions.push_back({FeatureId{f}, ConditionKind::above, 0, 0, {}});
    }
    polynomial.conditions = ConditionTable(conditions);
    const auto add = [&](std::size_t size, Int128 number) {
        std::vector<ConditionId> ids(size);
        for (std::size_t i = 0; i < size; ++i) ids[i] = static_cast<ConditionId>(i);
        polynomial.push_back(ids, std::vector<Int128>{number});
    };
    add(3, 1);
    add(5, 1);
    add(7, 1);
    // 1/3 + 1/5 + 1/7 = 71/105
    EXPECT_EQ(attributions(polynomial, std::vector<std::uint64_t>{1, 1, 1}, 1, {Credit::shared, Subject::feature})[0],
              71.0 / 105);
    add(1, -71);
    // The list need not be sorted for this; counts make 71/105 - 71/105.
    EXPECT_EQ(attributions(polynomial, std::vector<std::uint64_t>{105, 105, 105, 1}, 1,
                           {Credit::shared, Subject::feature})[0],
              0);
}

}  // namespace
}  // namespace regrove::algebra
