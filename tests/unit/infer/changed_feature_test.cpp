// Walking again with other values of one feature finds the leaves of a table that holds those values.
#include "regrove/infer/changed_feature.hpp"

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/infer/predictor.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

/// Asks feature 0 with feature 1 as surrogate, then category feature 2 on the left.
model::Tree with_surrogate() {
    model::Question first = above(0, 0.5);
    model::Surrogate surrogate;
    surrogate.feature = FeatureId{1};
    surrogate.threshold = 0.25;
    first.surrogates.push_back(surrogate);
    return {{inner(std::move(first), 1, 4, {0}), inner(one_of(2, {1}, {0, 1, 2}), 2, 3, {0}), leaf({0}), leaf({1}),
             leaf({2})}};
}

model::Ensemble sample() {
    return regression(
        {numeric("a"), numeric("b"), category("c", {"x", "y", "z"})},
        {with_surrogate(), stump(above(1, 0.7)), stump(above(0, 0.2)), stump(one_of(2, {0, 2}, {0, 1, 2}))});
}

/// A thousand rows; every fifth lacks "a".
std::vector<double> column(std::uint64_t seed, bool with_gaps) {
    const CounterRandom random(seed, 0);
    std::vector<double> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = with_gaps && i % 5 == 0 ? k_nan : random.uniform(i);
    return values;
}

std::vector<std::int32_t> categories(std::uint64_t seed) {
    const CounterRandom random(seed, 1);
    std::vector<std::int32_t> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(random.below(i, 4)) - 1;
    return values;
}

data::TableShard sample_table(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return table(
        {codes("c", {"z", "x", "y"}, categories(c)), numbers("a", column(a, true)), numbers("b", column(b, false))});
}

TEST(ChangedFeature, FindsTheLeavesOfATableWithThoseValues) {
    const model::Ensemble ensemble = sample();
    const data::TableShard before = sample_table(1, 2, 3);
    const data::TableShard after[] = {sample_table(9, 2, 3), sample_table(1, 9, 3), sample_table(1, 2, 9)};
    const Binding binding(ensemble, before.schema);
    const Predictor predictor(ensemble, before.schema);
    for (const unsigned threads : {1U, 2U}) {
        set_thread_count(threads);
        for (std::uint32_t f = 0; f < 3; ++f) {
            const ChangedFeature changed(ensemble, binding, FeatureId{f});
            EXPECT_EQ(changed.trees(), 2U);
            auto leaves = predictor.leaves(before);
            const auto expected = predictor.leaves(after[f]);
            EXPECT_NE(leaves, expected);
            changed.walk_again(before, binding.feature_cells(after[f], FeatureId{f}), leaves);
            EXPECT_EQ(leaves, expected) << "feature " << f;
        }
    }
    set_thread_count(1);
}

TEST(ChangedFeature, LeavesAFeatureThatNoTreeAsksForAlone) {
    const model::Ensemble ensemble = regression({numeric("a"), numeric("b")}, {stump(above(0, 0.5))});
    const data::TableShard rows = table({numbers("a", {0, 1}), numbers("b", {3, 4})});
    const Binding binding(ensemble, rows.schema);
    EXPECT_TRUE(binding.is_used(FeatureId{0}));
    EXPECT_FALSE(binding.is_used(FeatureId{1}));
    EXPECT_EQ(ChangedFeature(ensemble, binding, FeatureId{1}).trees(), 0U);
}

}  // namespace
}  // namespace regrove::infer
