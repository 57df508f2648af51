// A model's polynomial and its counts by all ranks equal those of one rank, to the last bit.
#include "regrove/dist/monomial_polynomial.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/monomial_pairs.hpp"
#include "regrove/pipeline/monomial_reweighting.hpp"

#include "support/mpi_world.hpp"
#include "support/score_ensemble.hpp"

namespace regrove {
namespace {

using test::world;

test::ScoreEnsembleShape shape_of(std::uint64_t seed) {
    test::ScoreEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 1 + 5 * (seed % 3);
    shape.depth = 3;
    shape.surrogates = false;
    shape.classes = seed % 2 == 0 ? 2 : 3;
    return shape;
}

TEST(MonomialPolynomial, IsThatOfOneRank) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(seed);
        const model::Ensemble ensemble = test::score_ensemble(shape_of(seed));
        EXPECT_EQ(dist::ensemble_polynomial(world(), ensemble, {}), algebra::to_polynomial(ensemble, {}));
    }
}

TEST(MonomialPolynomial, AllRanksFailTogether) {
    const model::Ensemble ensemble = test::score_ensemble(shape_of(1));
    algebra::PolynomialOptions options;
    options.max_monomials = 3;
    EXPECT_THROW(dist::ensemble_polynomial(world(), ensemble, options), Error);
    options = {};
    options.max_tree_monomials = 2;
    EXPECT_THROW(dist::ensemble_polynomial(world(), ensemble, options), Error);
}

data::TableShard table_of(std::size_t rows) {
    const CounterRandom random(3, 80);
    data::TableShard shard;
    using data::ColumnRole;
    using data::ColumnType;
    shard.schema.columns = {{"a", ColumnType::float64, ColumnRole::feature, {}},
                            {"b", ColumnType::float32, ColumnRole::feature, {}},
                            {"c", ColumnType::category, ColumnRole::feature, {"p", "q", "r", "s"}},
                            {"d", ColumnType::category, ColumnRole::feature, {"x", "y", "z"}}};
    std::vector<double> a;
    std::vector<float> b;
    std::vector<std::int32_t> c;
    std::vector<std::int32_t> d;
    for (std::size_t row = 0; row < rows; ++row) {
        a.push_back(random.normal(4 * row) * 3);
        b.push_back(static_cast<float>(random.normal(4 * row + 1) * 3));
        c.push_back(static_cast<std::int32_t>(random.below(4 * row + 2, 5)) - 1);
        d.push_back(static_cast<std::int32_t>(random.below(4 * row + 3, 4)) - 1);
    }
    shard.values = {a, b, c, d};
    shard.rows = shard.global_rows = rows;
    return shard;
}

/// This rank's rows of a table; with three ranks or more, rank 1 has none.
data::TableShard own_rows(const data::TableShard& table) {
    const auto ranks = static_cast<std::size_t>(world().size());
    const auto rank = static_cast<std::size_t>(world().rank());
    const auto cut = [&](std::size_t r) {
        if (ranks >= 3 && r == 2) r = 1;
        return table.rows * r * r / (ranks * ranks);
    };
    return data::slice(table, cut(rank), cut(rank + 1));
}

TEST(MonomialPolynomial, CountsAreThoseOfOneRank) {
    const data::TableShard table = table_of(9001);
    const data::TableShard own = own_rows(table);
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const auto polynomial = algebra::to_polynomial(test::score_ensemble(shape_of(seed)), {});
        const model::Ensemble asking = algebra::asking_ensemble(polynomial);
        const infer::Binding binding(asking, table.schema);
        EXPECT_EQ(dist::monomial_counts(world(), polynomial, own), algebra::count_rows(polynomial, binding, table));
    }
}

TEST(MonomialPolynomial, CoefficientsFittedAnewAreThoseOfOneRank) {
    const data::TableShard table = table_of(5003);
    const data::TableShard own = own_rows(table);
    const auto alone = comm::make_self_communicator();
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(seed);
        const auto polynomial = algebra::to_polynomial(test::score_ensemble(shape_of(seed)), {});
        const auto valued = pipeline::value_polynomial(world(), polynomial, own);
        const auto levels = algebra::pruning_levels(valued.values, 4);
        algebra::ReweightOptions options;
        options.method = seed % 2 == 0 ? algebra::Reweight::least_squares : algebra::Reweight::lasso;
        options.lasso_penalty = 0.01;
        const pipeline::MonomialReweighting fits(world(), valued, levels, own, options);
        const pipeline::MonomialReweighting whole(*alone, valued, levels, table, options);
        for (const algebra::PruningLevel& level : levels) {
            const auto fitted = fits.coefficients_at(level);
            EXPECT_TRUE(fitted == whole.coefficients_at(level));
            EXPECT_LE(pipeline::monomials_of(algebra::with_coefficients(polynomial, fitted)), level.kept);
        }
    }
}

/// The fit to what the whole polynomial says is nearer to it, on the rows that it saw, than what the level leaves as it is.
TEST(MonomialPolynomial, CoefficientsFittedAnewAreNearerToTheWhole) {
    const data::TableShard table = table_of(3000);
    const data::TableShard own = own_rows(table);
    const auto polynomial = algebra::to_polynomial(test::score_ensemble(shape_of(3)), {});
    const auto valued = pipeline::value_polynomial(world(), polynomial, own);
    const auto levels = algebra::pruning_levels(valued.values, 4);
    algebra::ReweightOptions options;
    options.method = algebra::Reweight::least_squares;
    const pipeline::MonomialReweighting fits(world(), valued, levels, own, options);
    const auto scores = algebra::scores_of(polynomial, table);
    const auto error = [&](const algebra::Polynomial& other) {
        const auto others = algebra::scores_of(other, table);
        double sum = 0;
        for (std::size_t i = 0; i < scores.size(); ++i) sum += (scores[i] - others[i]) * (scores[i] - others[i]);
        return sum;
    };
    for (std::size_t i = 1; i < levels.size(); ++i) {
        const auto plain = algebra::selected(polynomial, algebra::kept_at(valued.values, levels[i].alpha));
        const auto fitted = algebra::with_coefficients(polynomial, fits.coefficients_at(levels[i]));
        EXPECT_LT(error(fitted), 0.9 * error(plain)) << levels[i].kept;
    }
}

/// Bytes that a rank sends while `work` runs.
template <class Work>
std::uint64_t bytes_of(Work work) {
    const std::uint64_t before = world().traffic().bytes;
    work();
    return world().traffic().bytes - before;
}

/// The cost model of docs/scaling.md: words of monomials, 8 bytes a count and pair, nothing that grows with rows.
TEST(MonomialPolynomial, BytesStayWithinTheModel) {
    const auto ranks = static_cast<std::uint64_t>(world().size());
    const model::Ensemble ensemble = test::score_ensemble(shape_of(2));
    const auto polynomial = algebra::to_polynomial(ensemble, {});
    const auto words = [](const algebra::MonomialList& list) {
        return list.ids.size() + list.size() * (1 + 4 * list.scores);
    };
    std::uint64_t words_of_trees = 0;
    const auto plan = algebra::plan_polynomial(ensemble, {});
    for (std::size_t tree = 0; tree < ensemble.trees.size(); ++tree)
        words_of_trees += words(algebra::trees_polynomial(ensemble, plan, tree, tree + 1, {}));
    const std::uint64_t small = 200 * ranks;  // how many, and whether all is well
    const std::uint64_t converting = bytes_of([&] { dist::ensemble_polynomial(world(), ensemble, {}); });
    EXPECT_LE(converting, 4 * (words_of_trees + words(polynomial)) + small);
    const data::TableShard own = own_rows(table_of(9001));
    const auto of_sum = [&](std::uint64_t numbers) { return 2 * 8 * numbers * (ranks - 1) / ranks + small; };
    EXPECT_LE(bytes_of([&] { dist::monomial_counts(world(), polynomial, own); }), of_sum(polynomial.size()));
    std::vector<std::uint32_t> places(std::min<std::size_t>(polynomial.size(), 50));
    std::iota(places.begin(), places.end(), 0U);
    EXPECT_LE(bytes_of([&] { dist::monomial_pairs(world(), polynomial, places, own); }),
              of_sum(places.size() * (places.size() + 1) / 2));
    const std::vector<double> values(own.rows * polynomial.scores, 0.5);
    EXPECT_LE(bytes_of([&] { dist::sums_over_rows(world(), polynomial, places, values, own); }),
              of_sum(places.size() * polynomial.scores));
}

TEST(MonomialPolynomial, TooManyMonomialsToFitAreRefused) {
    const std::vector<algebra::PruningLevel> levels{{0, 10, 0}, {1, 5, 0}};
    algebra::ReweightOptions options;
    options.max_monomials = 5;
    EXPECT_EQ(pipeline::levels_to_reweight(levels, options).size(), 1U);
    options.max_monomials = 4;
    EXPECT_THROW(pipeline::levels_to_reweight(levels, options), Error);
}

TEST(MonomialPolynomial, ATableThatDoesNotFitIsRefusedByAll) {
    const auto polynomial = algebra::to_polynomial(test::score_ensemble(shape_of(1)), {});
    data::TableShard other = table_of(10);
    other.schema.columns[0].name = "another";
    EXPECT_THROW(dist::monomial_counts(world(), polynomial, other), Error);
}

}  // namespace
}  // namespace regrove
