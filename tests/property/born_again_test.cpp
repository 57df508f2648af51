// Born-again searches against trying everything: every objective, every kind of ensemble, every bound.
#include <gtest/gtest.h>

#include "regrove/bornagain/reborn.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/core/random.hpp"

#include "../../src/bornagain/point_kernels.hpp"
#include "../../src/bornagain/root_tensor.hpp"
#include "../../src/bornagain/state_bounds.hpp"
#include "support/born_again_brute_force.hpp"
#include "support/random_ensemble.hpp"
#include "unit/bornagain/small_spaces.hpp"

namespace regrove::bornagain {
namespace {

using regrove::test::BornAgainBruteForce;

using Case = bornagain::test::SmallSpace;
using bornagain::test::for_each_cell;

constexpr double k_most_log10_cells = 2.4;  // what trying everything can bear

Case random_case(std::uint64_t seed) {
    regrove::test::RandomEnsembleShape shape;
    shape.seed = seed;
    shape.trees = 2 + seed % 3;
    shape.depth = 2 + seed % 2;
    shape.classes = 2 + seed / 2 % 2;
    shape.combination = seed % 3 == 0 ? model::Combination::majority : model::Combination::mean;
    constexpr regrove::test::LeafStyle styles[]{regrove::test::LeafStyle::one_class,
                                                regrove::test::LeafStyle::quarters, regrove::test::LeafStyle::tenths};
    shape.leaves = styles[seed / 3 % 3];
    shape.surrogates = seed % 5 == 0;
    shape.tree_weights = seed % 7 < 3;
    return Case(regrove::test::random_ensemble(shape));
}

/// One tree that asks for every cell of a numeric grid: any function.
model::Ensemble table_model(const std::vector<std::uint32_t>& slices, std::uint32_t classes,
                            const std::function<std::uint32_t(const std::vector<std::uint32_t>&)>& function) {
    model::Ensemble ensemble;
    ensemble.label_name = "label";
    for (std::uint32_t k = 0; k < classes; ++k) ensemble.classes.push_back(std::to_string(k));
    for (std::size_t j = 0; j < slices.size(); ++j)
        ensemble.features.push_back(
            {"x" + std::to_string(j), model::FeatureKind::numeric, model::NumericPrecision::float64, {}});
    model::Tree tree;
    std::vector<std::uint32_t> low(slices.size(), 0);
    std::vector<std::uint32_t> high;
    for (const std::uint32_t n : slices) high.push_back(n - 1);
    const std::function<void()> grow = [&] {
        const std::size_t place = tree.nodes.size();
        tree.nodes.emplace_back();
        tree.nodes[place].value.assign(classes, 0);
        std::size_t axis = 0;
        while (axis < low.size() && low[axis] == high[axis]) ++axis;
        if (axis == low.size()) {
            tree.nodes[place].value[function(low)] = 1;
            return;
        }
        const std::uint32_t cut = low[axis];
        tree.nodes[place].question.kind = model::QuestionKind::threshold;
        tree.nodes[place].question.feature = FeatureId{static_cast<std::uint32_t>(axis)};
        tree.nodes[place].question.threshold = cut + 0.5;
        tree.nodes[place].left = NodeId{static_cast<std::uint32_t>(tree.nodes.size())};
        const std::uint32_t before_high = high[axis];
        high[axis] = cut;
        grow();
        high[axis] = before_high;
        tree.nodes[place].right = NodeId{static_cast<std::uint32_t>(tree.nodes.size())};
        low[axis] = cut + 1;
        grow();
        low[axis] = cut;
    };
    grow();
    ensemble.trees.push_back(std::move(tree));
    return ensemble;
}

model::Ensemble random_table(std::uint64_t seed) {
    const CounterRandom random(seed, 77);
    std::vector<std::uint32_t> slices;
    std::uint32_t cells = 1;
    for (std::uint64_t j = 0; j < 2 + seed % 3; ++j) {
        slices.push_back(2 + static_cast<std::uint32_t>(random.below(j, 3)));
        cells *= slices.back();
    }
    const auto classes = static_cast<std::uint32_t>(2 + seed % 2);
    const double bias = 0.2 + 0.6 * random.uniform(99);  // sparse functions have deep lonely cells
    return table_model(slices, classes, [&](const std::vector<std::uint32_t>& cell) {
        std::uint64_t at = 1000;
        for (std::size_t j = 0; j < cell.size(); ++j) at = at * slices[j] + cell[j];
        return random.uniform(2 * at) < bias ? 0U : static_cast<std::uint32_t>(random.below(2 * at + 1, classes));
    });
}

RebornResult solve(const Case& given, Objective objective, Support support = Support::all,
                   std::vector<std::uint32_t> cells = {}) {
    RebornOptions options;
    options.objective = objective;
    options.support = support;
    options.supported_cells = std::move(cells);
    return reborn(given.ensemble, given.space, options, {});
}

void expect_faithful(const Case& given, const CellTree& tree) {
    for_each_cell(cellspace::whole(given.space), [&](const std::vector<std::uint32_t>& cell) {
        ASSERT_EQ(tree.class_at(cell), given.ensemble.class_at(cell));
    });
}

void expect_optimal(const Case& given) {
    const cellspace::Box box = cellspace::whole(given.space);
    BornAgainBruteForce brute(given.ensemble);
    const std::uint32_t depth = brute.depth(box);
    const RebornResult by_depth = solve(given, Objective::depth);
    EXPECT_EQ(by_depth.tree.depth(), depth);
    EXPECT_EQ(by_depth.value, depth);
    EXPECT_EQ(by_depth.lower_bound, depth);
    EXPECT_EQ(by_depth.ended, Ended::optimal);
    const RebornResult by_leaves = solve(given, Objective::leaves);
    EXPECT_EQ(by_leaves.tree.leaves(), brute.leaves(box));
    EXPECT_EQ(by_leaves.lower_bound, brute.leaves(box));
    const RebornResult by_both = solve(given, Objective::depth_leaves);
    EXPECT_EQ(by_both.tree.depth(), depth);
    EXPECT_EQ(by_both.tree.leaves(), brute.leaves_within(box, depth));
    EXPECT_EQ(by_both.lower_bound, by_both.tree.leaves());
    for (const RebornResult* result : {&by_depth, &by_leaves, &by_both}) expect_faithful(given, result->tree);
}

TEST(BornAgain, IsOptimalOnRandomEnsembles) {
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 400 && tried < 60; ++seed) {
        const Case given = random_case(seed);
        if (given.space.log10_cells() > k_most_log10_cells || given.space.axes.empty()) continue;
        ++tried;
        SCOPED_TRACE(seed);
        expect_optimal(given);
        if (HasFailure()) return;
    }
    EXPECT_EQ(tried, 60);
}

TEST(BornAgain, IsOptimalOnRandomFunctions) {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        SCOPED_TRACE(seed);
        expect_optimal(Case(random_table(seed)));
        if (HasFailure()) return;
    }
}

TEST(BornAgain, NeedsNoMoreLevelsThanAChoiceBetweenTwoBits) {
    const Case given(
        table_model({2, 2, 2}, 2, [](const std::vector<std::uint32_t>& x) { return x[0] ? x[1] : x[2]; }));
    EXPECT_EQ(solve(given, Objective::depth).tree.depth(), 2U);
    EXPECT_EQ(solve(given, Objective::leaves).tree.leaves(), 4U);
}

TEST(BornAgain, NeedsEveryLevelForParity) {
    for (std::size_t bits = 1; bits <= 6; ++bits) {
        const Case given(table_model(std::vector<std::uint32_t>(bits, 2), 2, [](const std::vector<std::uint32_t>& x) {
            std::uint32_t sum = 0;
            for (const std::uint32_t bit : x) sum += bit;
            return sum % 2;
        }));
        EXPECT_EQ(solve(given, Objective::depth).tree.depth(), bits);
        EXPECT_EQ(solve(given, Objective::leaves).tree.leaves(), 1U << bits);
    }
}

/// Every bound that a region's cells give by themselves is at most the region's optimum, in every region of a space.
TEST(BornAgain, BoundsAreSoundInEveryRegion) {
    for (const TensorKernels* kernels : runnable_tensor_kernels()) {
        Workbench bench(*kernels);
        FoolingCache cache;
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            const Case given = seed % 2 == 0 ? Case(random_table(seed)) : random_case(seed);
            if (given.space.log10_cells() > k_most_log10_cells) continue;
            BornAgainBruteForce brute(given.ensemble);
            const cellspace::Box all = cellspace::whole(given.space);
            for_each_cell(all, [&](const std::vector<std::uint32_t>& low) {
                for_each_cell({low, all.high}, [&](const std::vector<std::uint32_t>& high) {
                    const cellspace::Box box{low, high};
                    const RootTensor root = root_tensor(given.ensemble, box);
                    ASSERT_EQ(root.classes == 1, brute.is_pure(box));
                    if (root.classes == 1) return;
                    const StateKey key = kernels->key(root.tensor);
                    const StateBounds depth = depth_bounds(root.tensor, key, bench);
                    ASSERT_LE(depth.lower, brute.depth(box));
                    ASSERT_GE(depth.upper, brute.depth(box));
                    const StateBounds leaves = leaves_bounds(root.tensor, key, bench, cache);
                    ASSERT_LE(leaves.lower, brute.leaves(box));
                });
            });
            if (HasFatalFailure()) return;
        }
    }
}

TEST(BornAgain, KernelsAgree) {
    const auto all = runnable_tensor_kernels();
    TensorScratch scratch;
    Differences expected;
    Differences got;
    std::vector<std::uint32_t> expected_cells;
    std::vector<std::uint32_t> cells;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Case given(random_table(seed));
        const RootTensor root = root_tensor(given.ensemble, cellspace::whole(given.space));
        if (root.classes == 1) continue;
        all[0]->differences(root.tensor, expected, scratch);
        all[0]->fooling_set(root.tensor, expected, expected_cells, scratch);
        for (const TensorKernels* kernels : all) {
            EXPECT_EQ(kernels->key(root.tensor), all[0]->key(root.tensor));
            kernels->differences(root.tensor, got, scratch);
            EXPECT_EQ(got.max_sensitivity, expected.max_sensitivity);
            EXPECT_EQ(kernels->degree(root.tensor, nullptr, scratch), all[0]->degree(root.tensor, nullptr, scratch));
            kernels->fooling_set(root.tensor, got, cells, scratch);
            EXPECT_EQ(cells, expected_cells);
            for (std::uint32_t j = 0; j < root.tensor.shape.axes; ++j) {
                CellTensor a;
                CellTensor b;
                const std::uint32_t last = root.tensor.shape.slices[j] - 1U;
                EXPECT_EQ(kernels->take_slices(root.tensor, j, 1, last, a, scratch, nullptr),
                          all[0]->take_slices(root.tensor, j, 1, last, b, scratch, nullptr));
                EXPECT_EQ(kernels->key(a), all[0]->key(b));
            }
        }
    }
}

TEST(BornAgain, IsOptimalOnTheCellsThatHoldRows) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        const Case given(random_table(seed));
        const CounterRandom random(seed, 5);
        std::vector<std::uint32_t> cells;
        std::uint64_t next = 0;
        for_each_cell(cellspace::whole(given.space), [&](const std::vector<std::uint32_t>& cell) {
            if (random.uniform(next++) < 0.4) cells.insert(cells.end(), cell.begin(), cell.end());
        });
        if (cells.empty() || cells.size() > 40 * given.space.axes.size()) continue;  // random labels are the hardest
        BornAgainBruteForce brute(given.ensemble, cells);
        const cellspace::Box box = cellspace::whole(given.space);
        const std::uint32_t depth = brute.depth(box);
        const RebornResult by_depth = solve(given, Objective::depth, Support::rows, cells);
        EXPECT_EQ(by_depth.tree.depth(), depth);
        const RebornResult by_leaves = solve(given, Objective::leaves, Support::rows, cells);
        EXPECT_EQ(by_leaves.tree.leaves(), brute.leaves(box));
        EXPECT_EQ(by_leaves.lower_bound, brute.leaves(box));
        const RebornResult by_both = solve(given, Objective::depth_leaves, Support::rows, cells);
        EXPECT_EQ(by_both.tree.leaves(), brute.leaves_within(box, depth));
        const std::size_t axes = given.space.axes.size();
        for (std::size_t at = 0; at < cells.size(); at += axes) {
            const auto cell = std::span(cells).subspan(at, axes);
            for (const RebornResult* result : {&by_depth, &by_leaves, &by_both})
                ASSERT_EQ(result->tree.class_at(cell), given.ensemble.class_at(cell));
        }
        if (HasFailure()) return;
    }
}

/// More features than a search takes: a tree that is right at the rows, and no claim that it is the smallest.
TEST(BornAgain, RowsOfTooManyFeaturesGetATreeWithoutAProof) {
    constexpr std::uint32_t k_features = 40;
    model::Ensemble chain = table_model({2}, 2, [](const std::vector<std::uint32_t>& x) { return x[0]; });
    model::Tree tree;
    for (std::uint32_t j = 0; j < k_features; ++j) {
        if (j > 0)
            chain.features.push_back(
                {"x" + std::to_string(j), model::FeatureKind::numeric, model::NumericPrecision::float64, {}});
        model::Node inner = chain.trees[0].nodes[0];
        inner.question.feature = FeatureId{j};
        inner.left = NodeId{2 * j + 1};
        inner.right = NodeId{2 * j + 2};
        model::Node leaf;
        leaf.value = j % 2 == 0 ? std::vector<double>{1, 0} : std::vector<double>{0, 1};
        tree.nodes.push_back(inner);
        tree.nodes.push_back(leaf);
    }
    model::Node last;
    last.value = {0, 1};
    tree.nodes.push_back(last);
    chain.trees[0] = tree;
    const Case given(chain);
    std::vector<std::uint32_t> cells;
    for (std::uint32_t row = 0; row <= k_features; ++row)
        for (std::uint32_t j = 0; j < k_features; ++j) cells.push_back(j < row ? 1 : 0);
    const RebornResult found = solve(given, Objective::leaves, Support::rows, cells);
    EXPECT_EQ(found.ended, Ended::too_large);
    for (std::size_t at = 0; at < cells.size(); at += k_features) {
        const auto cell = std::span(cells).subspan(at, k_features);
        EXPECT_EQ(found.tree.class_at(cell), given.ensemble.class_at(cell));
    }
}

TEST(BornAgain, RangeIsTheBoxOfTheRows) {
    const Case given(random_table(4));
    const cellspace::Box all = cellspace::whole(given.space);
    cellspace::Box part = all;
    ASSERT_GT(part.high[0], 0U);
    --part.high[0];
    std::vector<std::uint32_t> corners = part.low;
    corners.insert(corners.end(), part.high.begin(), part.high.end());
    BornAgainBruteForce brute(given.ensemble);
    const RebornResult found = solve(given, Objective::leaves, Support::range, corners);
    EXPECT_EQ(found.tree.leaves(), brute.leaves(part));
    for_each_cell(part, [&](const std::vector<std::uint32_t>& cell) {
        ASSERT_EQ(found.tree.class_at(cell), given.ensemble.class_at(cell));
    });
}

TEST(BornAgain, TreesDoNotDependOnThreads) {
    const unsigned before = thread_count();
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Case given(random_table(seed));
        for (const Objective objective : {Objective::depth, Objective::leaves, Objective::depth_leaves}) {
            set_thread_count(1);
            const CellTree one = solve(given, objective).tree;
            for (const unsigned threads : {2U, 4U}) {
                set_thread_count(threads);
                EXPECT_EQ(solve(given, objective).tree, one);
            }
        }
    }
    set_thread_count(before);
}

TEST(BornAgain, AMemoServesOtherObjectivesAndRuns) {
    const Case given(random_table(11));
    Memo memo;
    RebornLimits limits;
    limits.memo = &memo;
    for (const Objective objective : {Objective::leaves, Objective::depth, Objective::depth_leaves}) {
        RebornOptions options;
        options.objective = objective;
        const RebornResult first = reborn(given.ensemble, given.space, options, limits);
        const RebornResult again = reborn(given.ensemble, given.space, options, limits);
        EXPECT_EQ(first.tree, again.tree);
        EXPECT_EQ(first.tree, solve(given, objective).tree);
        EXPECT_EQ(again.figures.memo_entries, memo.size());
    }
}

TEST(BornAgain, AStoppedSearchGivesAFaithfulTreeAndItsGap) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Case given(random_table(seed));
        for (const Objective objective : {Objective::depth, Objective::leaves, Objective::depth_leaves}) {
            RebornOptions options;
            options.objective = objective;
            RebornLimits limits;
            limits.stop = [] { return true; };
            const RebornResult found = reborn(given.ensemble, given.space, options, limits);
            expect_faithful(given, found.tree);
            EXPECT_LE(found.lower_bound, found.value);
        }
    }
}

}  // namespace
}  // namespace regrove::bornagain
