#include "regrove/train/forest_random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "regrove/core/error.hpp"
#include "regrove/train/forest_options.hpp"

namespace regrove::train {
namespace {

TEST(RowSampling, DrawsAsManyRowsAsAsked) {
    for (const bool bootstrap : {false, true}) {
        for (const std::uint64_t draws : {std::uint64_t{1}, std::uint64_t{60}, std::uint64_t{100}}) {
            const RowSampling sampling{7, 100, draws, bootstrap};
            const auto times = sampling.multiplicities(3, 0, 100);
            EXPECT_EQ(std::accumulate(times.begin(), times.end(), std::uint64_t{0}), draws);
            if (!bootstrap) {
                EXPECT_LE(*std::max_element(times.begin(), times.end()), 1U);
            }
        }
    }
}

TEST(RowSampling, PartsOfTheRowsAgreeWithAll) {
    for (const bool bootstrap : {false, true}) {
        const RowSampling sampling{7, 1000, 632, bootstrap};
        const auto all = sampling.multiplicities(5, 0, 1000);
        const auto some = sampling.multiplicities(5, 300, 250);
        EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + 300));
        EXPECT_NE(sampling.multiplicities(6, 0, 1000), all);
    }
}

/// Each row is drawn with the same chance: over 2000 trees the counts of 50 rows stay within five standard deviations.
TEST(RowSampling, DrawsEveryRowEquallyOften) {
    for (const bool bootstrap : {false, true}) {
        const RowSampling sampling{1, 50, 20, bootstrap};
        std::vector<double> total(50, 0);
        for (std::uint64_t tree = 0; tree < 2000; ++tree) {
            const auto times = sampling.multiplicities(tree, 0, 50);
            for (std::size_t row = 0; row < 50; ++row) total[row] += times[row];
        }
        for (const double count : total) EXPECT_NEAR(count, 800, 5 * std::sqrt(800.0));
    }
}

TEST(NodeRandom, SamplesEverySubsetEquallyOften) {
    std::map<std::vector<std::uint32_t>, int> counts;
    NodeRandom node = NodeRandom::root(1, 0);
    for (int i = 0; i < 6000; ++i) {
        auto subset = node.sample_features(4, 2);
        auto all = subset;
        const auto others = node.order_of_others(4, 2);
        all.insert(all.end(), others.begin(), others.end());
        std::sort(all.begin(), all.end());
        EXPECT_EQ(all, (std::vector<std::uint32_t>{0, 1, 2, 3}));
        std::sort(subset.begin(), subset.end());
        counts[subset] += 1;
        node = node.child(i % 2 == 0 ? model::Side::left : model::Side::right);
    }
    ASSERT_EQ(counts.size(), 6U);
    for (const auto& [subset, count] : counts) {
        EXPECT_NEAR(count, 1000, 150);
    }
}

TEST(NodeRandom, DependsOnThePathOnly) {
    const auto path = [](std::uint64_t tree, std::initializer_list<model::Side> sides) {
        NodeRandom node = NodeRandom::root(5, tree);
        for (const auto side : sides) node = node.child(side);
        return node.threshold_share(0);
    };
    using enum model::Side;
    EXPECT_EQ(path(1, {left, right}), path(1, {left, right}));
    const std::set<double> all{
        path(1, {}), path(2, {}), path(1, {left}), path(1, {right}), path(1, {left, right}), path(1, {right, left})};
    EXPECT_EQ(all.size(), 6U);
}

TEST(ValueBetween, StaysBelowTheUpperEnd) {
    EXPECT_EQ(value_between(1, 3, 0.5), 2);
    EXPECT_EQ(value_between(1, 3, 0), 1);
    const double next = std::nextafter(1.0, 2.0);
    EXPECT_EQ(value_between(1, next, 0.9), 1);
    const double huge = std::numeric_limits<double>::max();
    EXPECT_EQ(value_between(-huge, huge, 0.5), 0);
    EXPECT_LT(value_between(-huge, huge, 1 - 0x1p-53), huge);
}

TEST(FeaturesANode, ReadsWordsNumbersAndShares) {
    EXPECT_EQ(features_a_node("auto", 28, false), 5U);
    EXPECT_EQ(features_a_node("auto", 28, true), 28U);
    EXPECT_EQ(features_a_node("sqrt", 30, true), 5U);
    EXPECT_EQ(features_a_node("log2", 28, false), 4U);
    EXPECT_EQ(features_a_node("log2", 1, false), 1U);
    EXPECT_EQ(features_a_node("p/2", 9, false), 4U);
    EXPECT_EQ(features_a_node("p/2", 1, false), 1U);
    EXPECT_EQ(features_a_node("all", 9, false), 9U);
    EXPECT_EQ(features_a_node("9", 9, false), 9U);
    EXPECT_EQ(features_a_node("1", 9, false), 1U);  // a number, not the share of all
    EXPECT_EQ(features_a_node("1.0", 9, false), 9U);
    EXPECT_EQ(features_a_node("0.5", 9, false), 4U);
    EXPECT_EQ(features_a_node("0.01", 9, false), 1U);
    for (const char* bad : {"0", "10", "-1", "1.5", "half", "", "nan"}) {
        EXPECT_THROW(features_a_node(bad, 9, false), ConfigError) << bad;
    }
}

}  // namespace
}  // namespace regrove::train
