// Scores of many rows at once against the plain walk of each row, bit for bit, for every form that a tree can take.
#include "regrove/infer/fast_scores.hpp"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"
#include "regrove/infer/route.hpp"

#include "support/score_ensemble.hpp"
#include "unit/infer/hand_made.hpp"

namespace regrove::infer {
namespace {

/// All forms, and each of them left out, with each kind of loops that the processor runs.
std::vector<ScoreForms> all_choices() {
    std::vector<ScoreForms> choices;
    for (const auto widest : {ProcessorKernels::plain, ProcessorKernels::avx2, ProcessorKernels::avx512})
        for (unsigned bits = 0; bits < 8; ++bits)
            choices.push_back({(bits & 1U) == 0, (bits & 2U) == 0, (bits & 4U) == 0, widest});
    return choices;
}

/// Scores by leaf_of(), added in tree order.
std::vector<double> plain_sums(const model::Ensemble& ensemble, const data::TableShard& shard) {
    const Binding binding(ensemble, shard.schema);
    std::vector<double> cells;
    binding.fill(shard, 0, shard.rows, cells);
    const std::size_t width = binding.features();
    std::vector<double> sums;
    PathFlags flags;
    for (std::size_t row = 0; row < shard.rows; ++row) {
        std::vector<double> own = ensemble.initial_scores;
        for (std::size_t t = 0; t < ensemble.trees.size(); ++t) {
            const NodeId leaf = leaf_of(ensemble.trees[t], {cells.data() + row * width, width}, flags);
            const auto& value = ensemble.trees[t].node(leaf).value;
            const std::size_t first = ensemble.tree_outputs.empty() ? 0 : ensemble.tree_outputs[t];
            for (std::size_t k = 0; k < value.size(); ++k) own[first + k] += value[k];
        }
        sums.insert(sums.end(), own.begin(), own.end());
    }
    return sums;
}

void expect_same_bits(const std::vector<double>& found, const std::vector<double>& expected,
                      const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    for (std::size_t i = 0; i < found.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(found[i]), std::bit_cast<std::uint64_t>(expected[i]))
            << what << ", number " << i << ": " << found[i] << " for " << expected[i];
}

void expect_plain_sums(const model::Ensemble& ensemble, const data::TableShard& shard, const std::string& what) {
    const auto expected = plain_sums(ensemble, shard);
    const Binding binding(ensemble, shard.schema);
    for (const ScoreForms& forms : all_choices())
        expect_same_bits(FastScores(ensemble, binding, forms).scores(shard), expected,
                         what + " levels " + std::to_string(forms.levels) + " planes " +
                             std::to_string(forms.planes) + " products " + std::to_string(forms.products) +
                             " kernels " + std::to_string(static_cast<int>(forms.widest)));
}

/// Columns a, b (numbers, missing and infinite ones among them), c and d (categories, unknown ones among them), as
/// test::random_ensemble asks for.
data::TableShard mixed_table(std::uint64_t seed, std::size_t rows) {
    const CounterRandom random(seed, 5);
    const std::vector<double> special{k_nan, k_inf, -k_inf, 0.1, 0.30000000000000004, -1.5, 7, -0.0};
    std::vector<double> a;
    std::vector<double> b;
    std::vector<std::int32_t> c;
    std::vector<std::int32_t> d;
    for (std::size_t row = 0; row < rows; ++row) {
        a.push_back(random.below(4 * row, 3) == 0 ? special[random.below(9 * row, special.size())]
                                                  : 2 * random.normal(7 * row));
        b.push_back(random.below(4 * row + 1, 3) == 0 ? special[random.below(9 * row + 1, special.size())]
                                                      : 2 * random.normal(7 * row + 1));
        c.push_back(static_cast<std::int32_t>(random.below(4 * row + 2, 6)) - 1);
        d.push_back(static_cast<std::int32_t>(random.below(4 * row + 3, 5)) - 1);
    }
    return table({numbers("a", a), numbers("b", b), codes("c", {"s", "new", "p", "q", "r"}, c),
                  codes("d", {"z", "y", "other", "x"}, d)});
}

TEST(FastScores, EqualThePlainWalkOnRandomEnsembles) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        test::ScoreEnsembleShape shape;
        shape.seed = seed;
        shape.trees = 1 + seed % 9;
        shape.depth = static_cast<unsigned>(seed % 8);
        shape.classes = 2 + static_cast<std::uint32_t>(seed % 3);
        shape.one_score_a_tree = seed % 4 == 1;
        shape.surrogates = seed % 2 == 0;
        expect_plain_sums(test::score_ensemble(shape), mixed_table(seed, 1 + 37 * (seed % 30)),
                          "seed " + std::to_string(seed));
    }
}

TEST(FastScores, TheSameOnAnyNumberOfThreads) {
    test::ScoreEnsembleShape shape;
    shape.trees = 7;
    const auto ensemble = test::score_ensemble(shape);
    const auto shard = mixed_table(3, 20'000);
    const auto expected = plain_sums(ensemble, shard);
    const Binding binding(ensemble, shard.schema);
    for (const unsigned threads : {1U, 2U, 5U}) {
        set_thread_count(threads);
        expect_same_bits(FastScores(ensemble, binding).scores(shard), expected, std::to_string(threads) + " threads");
    }
    set_thread_count(1);
}

TEST(FastScores, NoRows) {
    const auto ensemble = test::score_ensemble({});
    const auto shard = mixed_table(1, 0);
    EXPECT_TRUE(FastScores(ensemble, Binding(ensemble, shard.schema)).scores(shard).empty());
}

/// Grows a tree of one feature's thresholds in order: `leaves` leaves, cut at random places.
class TreeOfThresholds {
  public:
    TreeOfThresholds(std::uint64_t seed, std::uint32_t feature) : random_(seed, 6), feature_(feature) {}

    model::Tree make(std::size_t leaves) {
        grow(leaves, -3, 3);
        return std::move(tree_);
    }

  private:
    void grow(std::size_t leaves, double low, double high) {
        const std::size_t own = tree_.nodes.size();
        if (leaves == 1) {
            tree_.nodes.push_back(leaf({random_.normal(next_++)}));
            return;
        }
        const double threshold = low + (high - low) * (0.1 + 0.8 * random_.uniform(next_++));
        model::Question question = above(feature_, threshold);
        question.missing_side = random_.below(next_++, 2) == 0 ? model::Side::left : model::Side::right;
        question.heavier_side = question.missing_side;
        tree_.nodes.push_back(inner(question, static_cast<std::uint32_t>(own + 1), 0, {0}));
        const std::size_t left = 1 + random_.below(next_++, leaves - 1);
        grow(left, low, threshold);
        tree_.nodes[own].right = NodeId{static_cast<std::uint32_t>(tree_.nodes.size())};
        grow(leaves - left, threshold, high);
    }

    CounterRandom random_;
    std::uint32_t feature_;
    std::uint64_t next_ = 0;
    model::Tree tree_;
};

model::Ensemble sum_of(std::vector<model::Tree> trees, std::vector<model::Feature> features, double initial = 0.25) {
    auto ensemble = regression(std::move(features), std::move(trees));
    ensemble.combination = model::Combination::sum;
    ensemble.initial_scores = {initial};
    model::validate(ensemble);
    return ensemble;
}

data::TableShard two_numbers(std::size_t rows) {
    const CounterRandom random(11, 7);
    std::vector<double> a;
    std::vector<double> b;
    for (std::size_t row = 0; row < rows; ++row) {
        a.push_back(row % 11 == 3 ? k_nan : 1.5 * random.normal(2 * row));
        b.push_back(row % 7 == 3 ? k_nan : 1.5 * random.normal(2 * row + 1));
    }
    return table({numbers("a", a), numbers("b", b)});
}

/// More borders of a feature than a byte tells apart, in trees of one leaf to more than a byte numbers.
TEST(FastScores, ManyBordersAndLeaves) {
    using model::NumericPrecision;
    for (const NumericPrecision precision : {NumericPrecision::float32, NumericPrecision::float64}) {
        std::vector<model::Tree> trees;
        for (const std::size_t leaves : {1UL, 2UL, 8UL, 9UL, 31UL, 64UL, 65UL, 256UL, 257UL, 600UL})
            for (const std::uint32_t feature : {0U, 1U})
                trees.push_back(TreeOfThresholds(leaves, feature).make(leaves));
        expect_plain_sums(sum_of(trees, {numeric("a", precision), numeric("b", precision)}), two_numbers(1500),
                          "many");
    }
}

/// Of `depth` levels; level i asks a > i on even, b > i - 2.5 on odd levels.
model::Tree symmetric_tree(unsigned depth, std::uint64_t seed) {
    const CounterRandom random(seed, 8);
    model::Tree tree;
    std::uint64_t next = 0;
    const auto grow = [&](const auto& self, unsigned level) -> void {
        const std::size_t own = tree.nodes.size();
        if (level == depth) {
            tree.nodes.push_back(leaf({random.normal(next++)}));
            return;
        }
        tree.nodes.push_back(inner(above(level % 2, 0.4 * level - 1.5), static_cast<std::uint32_t>(own + 1), 0, {0}));
        self(self, level + 1);
        tree.nodes[own].right = NodeId{static_cast<std::uint32_t>(tree.nodes.size())};
        self(self, level + 1);
    };
    grow(grow, 0);
    return tree;
}

TEST(FastScores, SymmetricTreesOfEveryDepth) {
    std::vector<model::Tree> trees;
    for (unsigned depth = 0; depth <= 10; ++depth) trees.push_back(symmetric_tree(depth, depth));
    expect_plain_sums(sum_of(trees, {numeric("a"), numeric("b")}), two_numbers(1000), "symmetric");
}

/// A path to the right through a > thresholds[0], b > thresholds[1], a > ...
model::Tree path(const std::vector<double>& thresholds, double value, double beside = 0.0) {
    model::Tree tree;
    for (std::uint32_t level = 0; level < thresholds.size(); ++level) {
        const auto own = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes.push_back(inner(above(level % 2, thresholds[level]), own + 1, own + 2, {0}));
        tree.nodes.push_back(leaf({beside}));
    }
    tree.nodes.push_back(leaf({value}));
    return tree;
}

TEST(FastScores, MonomialsShareTheirBeginnings) {
    const std::vector<model::Tree> trees{path({0}, 1),
                                         path({0, 0}, 0.1),
                                         path({0, 0}, 0.3),  // twice the same
                                         path({0, 0, 0.5}, -0.7),
                                         path({0, 9}, 5),     // holds for no row
                                         path({0, 9, 1}, 6),  // nor does what begins like it
                                         path({0, 9, 2}, 7),
                                         path({0, 1}, 0.2),
                                         path({-1}, 0.001),
                                         path({9}, 3),
                                         path({9, 1}, 4),
                                         symmetric_tree(3, 1),
                                         path({9, 1}, 4),
                                         path({0.5, 0.5, 1, 1, 1.5}, 1e-3),
                                         path({}, 0.125)};
    expect_plain_sums(sum_of(trees, {numeric("a"), numeric("b")}), two_numbers(3000), "monomials");
}

/// More than one run of them, of up to five tests, with other trees in between.
TEST(FastScores, ThousandsOfMonomials) {
    const CounterRandom random(4, 9);
    std::vector<model::Tree> trees;
    for (std::size_t t = 0; t < 2600; ++t) {
        std::vector<double> thresholds;
        for (std::size_t level = 0; level < 1 + t % 5; ++level)
            thresholds.push_back(0.25 * static_cast<double>(random.below(5 * t + level, 12)) - 2);
        trees.push_back(path(thresholds, random.normal(100'000 + t)));
        if (t % 700 == 699) trees.push_back(symmetric_tree(2, t));
    }
    expect_plain_sums(sum_of(trees, {numeric("a"), numeric("b")}), two_numbers(700), "thousands");
}

/// Only minus zero tells whether a zero was added.
TEST(FastScores, ZerosKeepTheirSigns) {
    for (const double initial : {0.0, -0.0})
        for (const double value : {0.0, -0.0, 1.0})
            for (const double beside : {0.0, -0.0})
                expect_plain_sums(sum_of({path({0}, value, beside), path({0, 1}, value, beside)},
                                         {numeric("a"), numeric("b")}, initial),
                                  two_numbers(600), "zeros");
}

/// Thresholds beyond all floats, and between two of them.
TEST(FastScores, ExtremeThresholdsOfFloats) {
    const double largest = std::numeric_limits<float>::max();
    const std::vector<double> thresholds{1e300,
                                         -1e300,
                                         k_inf,
                                         largest,
                                         -largest,
                                         0.1,
                                         1 + 0x1p-25,
                                         0x1p-160,
                                         -0x1p-160,
                                         0.0,
                                         std::nextafter(0.1F, 0.0F)};
    std::vector<model::Tree> trees;
    for (const double threshold : thresholds) trees.push_back(path({threshold}, 1 + threshold * 0x1p-1030));
    for (std::size_t i = 0; i < trees.size(); ++i)
        trees[i].nodes.back().value = {std::ldexp(1.0, static_cast<int>(i))};
    const std::vector<double> cells{k_inf, -k_inf, largest,     -largest, 1e300, -1e300,   k_nan,     0.1F,
                                    0.1,   1,      1 + 0x1p-23, 0.0,      -0.0,  0x1p-149, -0x1p-149, 0x1p-161};
    for (const auto precision : {model::NumericPrecision::float32, model::NumericPrecision::float64})
        expect_plain_sums(sum_of(trees, {numeric("a", precision), numeric("b", precision)}),
                          table({numbers("a", cells), numbers("b", cells)}), "extreme");
}

}  // namespace
}  // namespace regrove::infer
