// Answers for whole tables: the fast walk against the plain rule, ties of classes, means over trees, threads.
#include "regrove/infer/predictor.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/model/class_rule.hpp"

#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

using testing::ElementsAre;

model::Ensemble classifier(std::vector<model::Tree> trees, std::size_t classes) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < classes; ++k) names.push_back("class " + std::to_string(k));
    model::EnsembleBuilder builder;
    builder.task(model::Task::classification, "y", names).features({numeric("x")});
    for (auto& tree : trees) builder.add_tree(std::move(tree));
    return std::move(builder).build();
}

model::Tree split_at(double threshold, std::vector<double> left, std::vector<double> right) {
    model::Tree tree{{inner(above(0, threshold), 1, 2, left), leaf(left), leaf(right)}};
    return tree;
}

TEST(Predictor, LeavesByNodeAndByNumber) {
    const auto ensemble = regression(
        {numeric("x")},
        {{{inner(above(0, 2), 1, 4, {0}), inner(above(0, 1), 2, 3, {0}), leaf({10}), leaf({20}), leaf({30})}}});
    const auto shard = table({numbers("x", {0.5, 1, 1.5, 2, 2.5, k_nan})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_THAT(leaves, ElementsAre(NodeId{2}, NodeId{2}, NodeId{3}, NodeId{3}, NodeId{4}, NodeId{2}));
    EXPECT_EQ(predictor.leaf_number(0, NodeId{2}), 0U);
    EXPECT_EQ(predictor.leaf_number(0, NodeId{4}), 2U);
    EXPECT_THAT(predictor.raw(leaves), ElementsAre(10, 10, 20, 20, 30, 10));
}

TEST(Predictor, Float32FeaturesCompareAfterRounding) {
    const double threshold = 1.0;
    const auto shard = table({numbers("x", {1.0 + 0x1p-25, 1.0 + 0x1p-23})});
    const auto in64 = regression({numeric("x")}, {stump(above(0, threshold))});
    EXPECT_THAT(Predictor(in64, shard.schema).leaves(shard), ElementsAre(NodeId{2}, NodeId{2}));
    const auto in32 = regression({numeric("x", model::NumericPrecision::float32)}, {stump(above(0, threshold))});
    EXPECT_THAT(Predictor(in32, shard.schema).leaves(shard), ElementsAre(NodeId{1}, NodeId{2}));
}

TEST(Predictor, ProbabilitiesAreNormalisedWeights) {
    const auto ensemble = classifier({split_at(0, {1, 3, 0}, {0, 0, 0})}, 3);
    const auto shard = table({numbers("x", {-1, 1})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_THAT(predictor.probabilities(leaves), ElementsAre(0.25, 0.75, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3));
    EXPECT_THAT(predictor.raw(leaves), ElementsAre(1, 3, 0, 0, 0, 0));
    EXPECT_THAT(predictor.classes(leaves), ElementsAre(1, 0));
}

TEST(Predictor, TiesGoToTheSmallerClass) {
    const auto ensemble = classifier({split_at(0, {1, 2, 2}, {0, 0, 4})}, 3);
    const auto shard = table({numbers("x", {-1, 1})});
    const Predictor predictor(ensemble, shard.schema);
    EXPECT_THAT(predictor.classes(predictor.leaves(shard)), ElementsAre(1, 2));
}

TEST(Predictor, TheLargestWeightWinsEvenWhenProbabilitiesRoundTogether) {
    const double less = 1.9;
    const double more = std::nextafter(less, 2.0);
    const double total = less + more + 1.5 + 1.5;
    ASSERT_EQ(less / total, more / total) << "the case that the test is about";
    const auto ensemble = classifier({split_at(0, {less, more, 1.5, 1.5}, {1, 0, 0, 0})}, 4);
    const auto shard = table({numbers("x", {-1})});
    const Predictor predictor(ensemble, shard.schema);
    EXPECT_THAT(predictor.classes(predictor.leaves(shard)), ElementsAre(1));
}

TEST(Predictor, TreesAreAveraged) {
    const auto ensemble = classifier({split_at(0, {8, 0}, {0, 8}), split_at(1, {1, 3}, {1, 0})}, 2);
    const auto shard = table({numbers("x", {-1, 0.5, 2})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_THAT(leaves, ElementsAre(NodeId{1}, NodeId{1}, NodeId{2}, NodeId{1}, NodeId{2}, NodeId{2}));
    EXPECT_THAT(predictor.probabilities(leaves), ElementsAre(0.625, 0.375, 0.125, 0.875, 0.5, 0.5));
    EXPECT_THAT(predictor.classes(leaves), ElementsAre(0, 1, 0));
    EXPECT_THAT(predictor.raw(leaves), ElementsAre(4.5, 1.5, 0.5, 5.5, 0.5, 4));
}

/// Two trees of three are for class 1 by a little, the third for class 0 by a lot.
TEST(Predictor, EveryTreeHasOneVote) {
    const std::vector<model::Tree> trees{split_at(0, {4, 5}, {9, 0}), split_at(0, {40, 50}, {0, 1}),
                                         split_at(0, {9, 0}, {1, 1})};
    auto ensemble = classifier(trees, 2);
    const auto shard = table({numbers("x", {-1, 1})});
    const Predictor by_mean(ensemble, shard.schema);
    const auto leaves = by_mean.leaves(shard);
    EXPECT_THAT(by_mean.classes(leaves), ElementsAre(0, 0));
    EXPECT_THAT(by_mean.probabilities(leaves),
                ElementsAre((4.0 / 9 + 4.0 / 9 + 1) / 3, (5.0 / 9 + 5.0 / 9) / 3, 0.5, 0.5));
    ensemble.combination = model::Combination::majority;
    const Predictor by_votes(ensemble, shard.schema);
    EXPECT_EQ(by_votes.leaves(shard), leaves);
    EXPECT_THAT(by_votes.classes(leaves), ElementsAre(1, 0));
    // A leaf that is tied votes for the smaller class.
    EXPECT_THAT(by_votes.probabilities(leaves), ElementsAre(1.0 / 3, 2.0 / 3, 2.0 / 3, 1.0 / 3));
    EXPECT_EQ(by_votes.raw(leaves), by_mean.raw(leaves));
}

TEST(Predictor, TiedVotesGoToTheSmallerClass) {
    auto ensemble = classifier({split_at(0, {0, 0, 1}, {0, 1, 0}), split_at(0, {0, 2, 0}, {0, 0, 3})}, 3);
    ensemble.combination = model::Combination::majority;
    const auto shard = table({numbers("x", {-1, 1})});
    const Predictor predictor(ensemble, shard.schema);
    EXPECT_THAT(predictor.classes(predictor.leaves(shard)), ElementsAre(1, 1));
}

TEST(Predictor, OneTreeAnswersAloneWhateverTheCombination) {
    auto ensemble = classifier({split_at(0, {1, 3}, {3, 1})}, 2);
    ensemble.combination = model::Combination::majority;
    const auto shard = table({numbers("x", {-1, 1})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_THAT(predictor.probabilities(leaves), ElementsAre(0.25, 0.75, 0.75, 0.25));
    EXPECT_THAT(predictor.classes(leaves), ElementsAre(1, 0));
}

TEST(Predictor, TreesCountByTheirWeights) {
    auto ensemble = classifier({split_at(0, {8, 0}, {0, 8}), split_at(1, {1, 3}, {1, 0})}, 2);
    ensemble.tree_weights = {1, 3};
    const auto shard = table({numbers("x", {-1, 0.5, 2})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_THAT(predictor.probabilities(leaves), ElementsAre(1.75 / 4, 2.25 / 4, 0.75 / 4, 3.25 / 4, 0.75, 0.25));
    EXPECT_THAT(predictor.classes(leaves), ElementsAre(1, 1, 0));
    EXPECT_THAT(predictor.raw(leaves), ElementsAre(11.0 / 4, 9.0 / 4, 0.75, 17.0 / 4, 0.75, 2));
    EXPECT_THAT(predictor.answers_of_marked(leaves, {1, 1, 0, 1, 0, 0}),
                ElementsAre(1.75 / 4, 2.25 / 4, 0.25, 0.75, 0, 0));
    ensemble.combination = model::Combination::majority;
    const Predictor votes(ensemble, shard.schema);
    EXPECT_THAT(votes.probabilities(leaves), ElementsAre(0.25, 0.75, 0, 1, 0.75, 0.25));
    EXPECT_THAT(votes.classes(leaves), ElementsAre(1, 1, 0));
}

TEST(Predictor, NumbersAreWeightedMeans) {
    auto ensemble = regression({numeric("x")}, {split_at(0, {1}, {8}), split_at(1, {2}, {6})});
    ensemble.tree_weights = {3, 1};
    const auto shard = table({numbers("x", {-1, 2})});
    const Predictor predictor(ensemble, shard.schema);
    EXPECT_THAT(predictor.raw(predictor.leaves(shard)), ElementsAre(1.25, 7.5));
}

TEST(Predictor, AnswersOfMarkedTreesOnly) {
    auto ensemble =
        classifier({split_at(0, {3, 1}, {0, 1}), split_at(0, {1, 1}, {1, 0}), split_at(0, {0, 1}, {1, 4})}, 2);
    const auto shard = table({numbers("x", {-1, -1, -1, 1})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    const std::vector<std::uint8_t> marked{1, 0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1};
    EXPECT_THAT(predictor.answers_of_marked(leaves, marked),
                ElementsAre(0.375, 0.625, 0, 0, 0.5, 0.5, (0 + 1 + 0.2) / 3, (1 + 0 + 0.8) / 3));
    EXPECT_EQ(predictor.answers_of_marked(leaves, std::vector<std::uint8_t>(12, 1)), predictor.probabilities(leaves));
    ensemble.combination = model::Combination::majority;
    const Predictor votes(ensemble, shard.schema);
    EXPECT_THAT(votes.answers_of_marked(leaves, marked), ElementsAre(0.5, 0.5, 0, 0, 1, 0, 1.0 / 3, 2.0 / 3));
}

TEST(Predictor, NumbersOfMarkedTreesAreMeans) {
    const auto ensemble =
        regression({numeric("x")}, {split_at(0, {1}, {8}), split_at(1, {2}, {6}), split_at(2, {4}, {9})});
    const auto shard = table({numbers("x", {1.5, 1.5, 1.5})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_THAT(predictor.answers_of_marked(leaves, {1, 1, 1, 0, 1, 1, 0, 0, 0}), ElementsAre(6, 5, 0));
}

TEST(Predictor, FlagsPerRow) {
    model::Question question = above(0, 0);
    question.training_low = -1;
    question.training_high = 1;
    const auto ensemble = regression({numeric("x")}, {stump(question)});
    const auto shard = table({numbers("x", {0, 2, k_nan})});
    EXPECT_THAT(Predictor(ensemble, shard.schema).flags(shard),
                ElementsAre(PathFlags{}, PathFlags{.outside_range = true}, PathFlags{.unseen_missing = true}));
}

TEST(Predictor, AnEmptyShard) {
    const auto ensemble = classifier({split_at(0, {1, 0}, {0, 1})}, 2);
    const auto shard = table({numbers("x", {})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_TRUE(leaves.empty());
    EXPECT_TRUE(predictor.classes(leaves).empty());
    EXPECT_TRUE(predictor.flags(shard).empty());
}

/// A random tree with every kind of question over three numeric features and one category feature.
class RandomTree {
  public:
    explicit RandomTree(std::uint64_t seed) : random_(seed, 1) {}

    model::Tree grow(unsigned depth) {
        add(depth);
        return std::move(tree_);
    }

  private:
    std::uint64_t below(std::uint64_t bound) { return random_.below(next_++, bound); }

    model::Side side() { return below(2) == 0 ? model::Side::left : model::Side::right; }

    model::Question question() {
        const auto feature = static_cast<std::uint32_t>(below(4));
        model::Question q = feature == 3 ? one_of(3, {}, {}) : above(feature, static_cast<double>(below(9)) - 4);
        if (feature == 3) {
            q.seen_categories = {1 + below(31)};
            q.right_categories = {q.seen_categories[0] & below(32)};
        }
        q.missing_seen = below(2) == 0;
        q.heavier_side = side();
        q.missing_side = q.missing_seen ? side() : q.heavier_side;
        model::Surrogate surrogate;
        surrogate.feature = FeatureId{(feature + 1) % 3};
        surrogate.reversed = below(2) == 0;
        if (feature != 3 && below(2) == 0) q.surrogates = {surrogate};
        return q;
    }

    void add(unsigned depth) {
        const std::size_t id = tree_.nodes.size();
        tree_.nodes.push_back(leaf({static_cast<double>(id)}));
        if (depth == 0 || below(8) == 0) return;
        tree_.nodes[id].question = question();
        tree_.nodes[id].left = NodeId{static_cast<std::uint32_t>(id + 1)};
        add(depth - 1);
        tree_.nodes[id].right = NodeId{static_cast<std::uint32_t>(tree_.nodes.size())};
        add(depth - 1);
    }

    CounterRandom random_;
    std::uint64_t next_ = 0;
    model::Tree tree_;
};

/// Whole numbers, so that many fall on thresholds; one in eight missing; categories unknown to the model among them.
data::TableShard random_table(std::size_t rows) {
    const CounterRandom random(7, 2);
    std::vector<std::vector<double>> columns(3, std::vector<double>(rows));
    std::vector<std::int32_t> categories(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t f = 0; f < 3; ++f) {
            const auto value = static_cast<double>(random.below(row * 8 + f, 11)) - 5;
            columns[f][row] = random.below(row * 8 + 4 + f, 8) == 0 ? k_nan : value;
        }
        categories[row] = static_cast<std::int32_t>(random.below(row * 8 + 3, 8)) - 1;
    }
    return table({numbers("a", columns[0]), numbers("b", columns[1]), numbers("c", columns[2]),
                  codes("d", {"0", "1", "2", "3", "4", "5", "6"}, categories)});
}

TEST(Predictor, TheFastWalkFollowsThePlainRule) {
    const auto shard = random_table(9000);
    std::vector<model::Tree> trees;
    for (std::uint64_t seed = 0; seed < 20; ++seed) trees.push_back(RandomTree(seed).grow(7));
    const auto ensemble = regression(
        {numeric("a"), numeric("b"), numeric("c"), category("d", {"0", "1", "2", "3", "4"})}, std::move(trees));
    const auto leaves = Predictor(ensemble, shard.schema).leaves(shard);
    const auto flags = Predictor(ensemble, shard.schema).flags(shard);
    const Binding binding(ensemble, shard.schema);
    std::vector<double> cells;
    binding.fill(shard, 0, shard.rows, cells);
    for (std::size_t row = 0; row < shard.rows; ++row) {
        PathFlags expected;
        for (std::size_t tree = 0; tree < 20; ++tree)
            ASSERT_EQ(leaves[row * 20 + tree],
                      leaf_of(ensemble.trees[tree], std::span(cells).subspan(row * 4, 4), expected))
                << "row " << row << ", tree " << tree;
        ASSERT_EQ(flags[row], expected) << row;
    }
}

TEST(Predictor, ThreadsDoNotMatter) {
    const auto shard = random_table(10'000);
    const auto ensemble = regression({numeric("a"), numeric("b"), numeric("c"), category("d", {"0", "1", "2"})},
                                     {stump(above(0, 1)), stump(one_of(3, {1}, {0, 1, 2})), stump(above(2, -3))});
    const Predictor predictor(ensemble, shard.schema);
    set_thread_count(1);
    const auto one = predictor.raw(predictor.leaves(shard));
    set_thread_count(4);
    EXPECT_EQ(predictor.raw(predictor.leaves(shard)), one);
    set_thread_count(1);
}

model::Ensemble boosted(model::Ensemble ensemble, model::Link link, std::vector<double> initial,
                        std::vector<std::uint32_t> outputs = {}) {
    ensemble.combination = model::Combination::sum;
    ensemble.link = link;
    ensemble.initial_scores = std::move(initial);
    ensemble.tree_outputs = std::move(outputs);
    model::validate(ensemble);
    return ensemble;
}

model::Ensemble two_class_sum() {
    auto trees = regression({numeric("x")}, {split_at(0, {-0.5}, {0.25}), split_at(1, {0.5}, {2})});
    trees.task = model::Task::classification;
    trees.classes = {"a", "b"};
    return boosted(std::move(trees), model::Link::logistic, {-0.5});
}

TEST(Predictor, BoostedMargins) {
    const auto ensemble = two_class_sum();
    const auto shard = table({numbers("x", {-1, 0.5, 2, -1})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    EXPECT_THAT(predictor.raw(leaves), ElementsAre(-0.5, 0.25, 1.75, -0.5));
    EXPECT_THAT(predictor.classes(leaves), ElementsAre(0, 1, 1, 0));
    const auto probabilities = predictor.probabilities(leaves);
    ASSERT_EQ(probabilities.size(), 8U);
    EXPECT_DOUBLE_EQ(probabilities[1], 1 / (1 + std::exp(0.5)));
    EXPECT_DOUBLE_EQ(probabilities[4], 1 / (1 + std::exp(1.75)));
    EXPECT_DOUBLE_EQ(probabilities[5], 1 / (1 + std::exp(-1.75)));
}

TEST(Predictor, BoostedClassesAreThoseOfTheClassRule) {
    auto trees = regression({numeric("x")}, {split_at(0, {-0.1}, {0.2}), split_at(1, {0.7}, {-0.1}),
                                             split_at(2, {0.6}, {0.1}), split_at(3, {0}, {0.30000000000000004})});
    trees.task = model::Task::classification;
    trees.classes = {"a", "b", "c"};
    const auto ensemble = boosted(std::move(trees), model::Link::softmax, {0.1, -0.1, 0}, {0, 1, 2, 0});
    const auto shard = table({numbers("x", {-1, 0.5, 1.5, 2.5, 3.5})});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    const auto raw = predictor.raw(leaves);
    ASSERT_EQ(raw.size(), 15U);
    EXPECT_EQ(raw[12], 0.1 + 0.2 + 0.30000000000000004);
    EXPECT_EQ(raw[2], 0.6);
    const model::ClassRule rule(ensemble);
    const auto classes = predictor.classes(leaves);
    const auto probabilities = predictor.probabilities(leaves);
    for (std::size_t row = 0; row < 5; ++row) {
        EXPECT_EQ(static_cast<std::uint32_t>(classes[row]), rule.decide({leaves.data() + row * 4, 4})) << row;
        double total = 0;
        for (std::size_t k = 0; k < 3; ++k) total += probabilities[row * 3 + k];
        EXPECT_DOUBLE_EQ(total, 1);
    }
    EXPECT_THAT(classes, ElementsAre(1, 1, 2, 0, 0));
}

TEST(Predictor, BoostedValues) {
    const auto trees = regression({numeric("x")}, {split_at(0, {-0.5}, {0.25}), split_at(1, {0.5}, {2})});
    const auto shard = table({numbers("x", {-1, 2})});
    for (const auto link : {model::Link::identity, model::Link::exponential}) {
        const auto ensemble = boosted(trees, link, {1});
        const Predictor predictor(ensemble, shard.schema);
        const auto leaves = predictor.leaves(shard);
        EXPECT_THAT(predictor.raw(leaves), ElementsAre(1, 3.25));
        const auto values = predictor.values(leaves);
        EXPECT_DOUBLE_EQ(values[1], link == model::Link::identity ? 3.25 : std::exp(3.25));
    }
    const Predictor mean(trees, shard.schema);
    EXPECT_THAT(mean.values(mean.leaves(shard)), ElementsAre(0, 1.125));
}

TEST(Predictor, BoostedModelsAreTheSameOnAnyNumberOfThreads) {
    std::vector<model::Tree> trees;
    for (int t = 0; t < 20; ++t) trees.push_back(split_at(t * 0.05, {0.1 * t}, {-0.07 * t}));
    const auto ensemble = boosted(regression({numeric("x")}, trees), model::Link::exponential, {0.3});
    const CounterRandom random(5, 5);
    std::vector<double> x(20000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = random.uniform(i);
    const auto shard = table({numbers("x", x)});
    const Predictor predictor(ensemble, shard.schema);
    const auto leaves = predictor.leaves(shard);
    set_thread_count(1);
    const auto one = predictor.values(leaves);
    set_thread_count(3);
    EXPECT_EQ(predictor.values(leaves), one);
    set_thread_count(1);
}

}  // namespace
}  // namespace regrove::infer
