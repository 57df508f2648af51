// A model's polynomial and its counts by all ranks equal those of one rank, to the last bit.
#include "regrove/dist/monomial_polynomial.hpp"

#include <gtest/gtest.h>

#include "regrove/algebra/monomial_counts.hpp"
#include "regrove/core/error.hpp"

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

TEST(MonomialPolynomial, CountsAreThoseOfOneRank) {
    const data::TableShard table = table_of(9001);
    const auto ranks = static_cast<std::size_t>(world().size());
    const auto rank = static_cast<std::size_t>(world().rank());
    // With three ranks or more, rank 1 has no rows.
    const auto cut = [&](std::size_t r) {
        if (ranks >= 3 && r == 2) r = 1;
        return table.rows * r * r / (ranks * ranks);
    };
    const data::TableShard own = data::slice(table, cut(rank), cut(rank + 1));
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const auto polynomial = algebra::to_polynomial(test::score_ensemble(shape_of(seed)), {});
        const model::Ensemble asking = algebra::asking_ensemble(polynomial);
        const infer::Binding binding(asking, table.schema);
        EXPECT_EQ(dist::monomial_counts(world(), polynomial, own), algebra::count_rows(polynomial, binding, table));
    }
}

TEST(MonomialPolynomial, ATableThatDoesNotFitIsRefusedByAll) {
    const auto polynomial = algebra::to_polynomial(test::score_ensemble(shape_of(1)), {});
    data::TableShard other = table_of(10);
    other.schema.columns[0].name = "another";
    EXPECT_THROW(dist::monomial_counts(world(), polynomial, other), Error);
}

}  // namespace
}  // namespace regrove
