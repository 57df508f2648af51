// Heuristic trees decide as their ensembles do in every cell, on grids and by samples, and never beat the optimum.
#include "regrove/bornagain/heuristic.hpp"

#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"

#include "../src/bornagain/search.hpp"
#include "../src/bornagain/tensor_heuristic.hpp"
#include "small_spaces.hpp"

namespace regrove::bornagain {
namespace {

using test::for_each_cell;
using test::small_space;
using test::SmallSpace;

constexpr std::uint64_t k_seeds = 60;

std::uint64_t unfaithful_cells(const CellTree& tree, const SmallSpace& one) {
    std::uint64_t wrong = 0;
    for_each_cell(cellspace::whole(one.space), [&](const std::vector<std::uint32_t>& cell) {
        if (tree.class_at(cell) != one.ensemble.class_at(cell)) ++wrong;
    });
    return wrong;
}

template <class O>
std::uint64_t solve(const RootTensor& root, Memo& memo, typename O::Budget budget) {
    SearchControl control(memo, 1);
    Search<O> search(control, 0);
    const StateKey key = tensor_kernels().key(root.tensor);
    StateBounds bounds = search.bounds(root.tensor, key, budget);
    while (!bounds.solved())
        bounds = search.solve(root.tensor, key, budget, O::k_monotone_sides ? bounds.lower : k_unbounded - 1);
    return bounds.lower;
}

std::uint64_t optimum(const RootTensor& root, Objective objective, Memo& memo) {
    return objective == Objective::depth ? solve<DepthObjective>(root, memo, {})
                                         : solve<LeavesObjective>(root, memo, {});
}

std::uint64_t value_of(const CellTree& tree, Objective objective) {
    return objective == Objective::depth ? tree.depth() : tree.leaves();
}

TensorHeuristicOptions with_effort(Objective objective, std::uint32_t cells) {
    TensorHeuristicOptions options;
    options.objective = objective;
    options.effort = {cells, cells / 2, 20};
    return options;
}

TEST(TensorHeuristic, IsFaithfulAndNoBetterThanTheOptimum) {
    std::uint64_t above = 0;
    for (std::uint64_t seed = 0; seed < k_seeds; ++seed) {
        const SmallSpace one = small_space(seed);
        const RootTensor root = root_tensor(one.ensemble, cellspace::whole(one.space));
        for (const Objective objective : {Objective::depth, Objective::leaves}) {
            Memo memo;
            const std::uint64_t best =
                root.classes == 1 ? (objective == Objective::depth ? 0 : 1) : optimum(root, objective, memo);
            for (const std::uint32_t cells : {0U, 32U, 1024U}) {
                const CellTree tree = heuristic_tree(root, one.ensemble, with_effort(objective, cells));
                ASSERT_EQ(unfaithful_cells(tree, one), 0U) << "seed " << seed;
                ASSERT_GE(value_of(tree, objective), best) << "seed " << seed;
                above += value_of(tree, objective) > best ? 1 : 0;
                EXPECT_EQ(tree, heuristic_tree(root, one.ensemble, with_effort(objective, cells)));
            }
        }
    }
    EXPECT_GT(above, 0U);  // else the bound above says nothing
}

TEST(TensorHeuristic, BuildsWhatTheMemoHasSolved) {
    for (std::uint64_t seed = 0; seed < k_seeds; ++seed) {
        const SmallSpace one = small_space(seed);
        const RootTensor root = root_tensor(one.ensemble, cellspace::whole(one.space));
        if (root.classes == 1) continue;
        for (const Objective objective : {Objective::depth, Objective::leaves}) {
            Memo memo;
            const std::uint64_t best = optimum(root, objective, memo);
            const CellTree tree = heuristic_tree(root, one.ensemble, with_effort(objective, 0), &memo);
            ASSERT_EQ(unfaithful_cells(tree, one), 0U) << "seed " << seed;
            EXPECT_EQ(value_of(tree, objective), best) << "seed " << seed;
        }
    }
}

TEST(TensorHeuristic, BuildsTheFewestLeavesOfLeastDepthThatTheMemoHasSolved) {
    for (std::uint64_t seed = 0; seed < k_seeds; ++seed) {
        const SmallSpace one = small_space(seed);
        const RootTensor root = root_tensor(one.ensemble, cellspace::whole(one.space));
        if (root.classes == 1) continue;
        Memo memo;
        const auto depth = static_cast<std::uint32_t>(solve<DepthObjective>(root, memo, {}));
        const std::uint64_t best = solve<BoundedLeavesObjective>(root, memo, {depth});
        TensorHeuristicOptions options = with_effort(Objective::depth_leaves, 0);
        options.depth_budget = depth;
        const CellTree tree = heuristic_tree(root, one.ensemble, options, &memo);
        ASSERT_EQ(unfaithful_cells(tree, one), 0U) << "seed " << seed;
        EXPECT_EQ(tree.depth(), depth) << "seed " << seed;
        EXPECT_EQ(tree.leaves(), best) << "seed " << seed;
    }
}

TEST(TensorHeuristic, OneClassIsOneLeaf) {
    regrove::test::RandomEnsembleShape shape;
    shape.depth = 0;
    const SmallSpace one{regrove::test::random_ensemble(shape)};
    const CellTree tree = heuristic_tree(root_tensor(one.ensemble, cellspace::whole(one.space)), one.ensemble, {});
    ASSERT_EQ(tree.nodes.size(), 1U);
    EXPECT_EQ(tree.nodes[0].class_index, one.ensemble.class_at(cellspace::whole(one.space).low));
}

HeuristicOptions by_samples(Objective objective, std::uint64_t grid_cells) {
    HeuristicOptions options;
    options.objective = objective;
    options.samples = 50;
    options.seed = 11;
    options.grid_cells = grid_cells;
    return options;
}

TEST(Heuristic, IsFaithfulBySamplesAndByGrids) {
    std::uint64_t sampled = 0;
    std::uint64_t grids = 0;
    for (std::uint64_t seed = 0; seed < k_seeds; ++seed) {
        const SmallSpace one = small_space(seed, 4);
        for (const std::uint64_t cells : {0U, 8U, 1U << 16U}) {
            const HeuristicResult result =
                heuristic_tree(one.ensemble, cellspace::whole(one.space), by_samples(Objective::leaves, cells));
            ASSERT_EQ(result.ended, HeuristicEnd::faithful);
            ASSERT_TRUE(result.tree);
            ASSERT_EQ(unfaithful_cells(*result.tree, one), 0U) << "seed " << seed << ", grids of " << cells;
            sampled += result.figures.sampled_boxes;
            grids += result.figures.grids;
        }
    }
    EXPECT_GT(sampled, k_seeds);
    EXPECT_GT(grids, k_seeds);
}

TEST(Heuristic, IsTheSameOnAnyNumberOfThreads) {
    const unsigned before = thread_count();
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const SmallSpace one = small_space(4 * seed + 3, 5);
        set_thread_count(1);
        const auto alone =
            heuristic_tree(one.ensemble, cellspace::whole(one.space), by_samples(Objective::depth, 16));
        set_thread_count(4);
        const auto four = heuristic_tree(one.ensemble, cellspace::whole(one.space), by_samples(Objective::depth, 16));
        EXPECT_EQ(alone.tree, four.tree);
    }
    set_thread_count(before);
}

TEST(Heuristic, GivesNoTreeWhenALimitIsMet) {
    const SmallSpace one = small_space(43, 5);
    HeuristicLimits limits;
    limits.ends = [] { return true; };
    const auto stopped =
        heuristic_tree(one.ensemble, cellspace::whole(one.space), by_samples(Objective::leaves, 0), limits);
    EXPECT_EQ(stopped.ended, HeuristicEnd::stopped);
    EXPECT_FALSE(stopped.tree);
    limits = {};
    limits.memory_bytes = 100;
    const auto full =
        heuristic_tree(one.ensemble, cellspace::whole(one.space), by_samples(Objective::leaves, 0), limits);
    EXPECT_EQ(full.ended, HeuristicEnd::out_of_memory);
    EXPECT_FALSE(full.tree);
}

}  // namespace
}  // namespace regrove::bornagain
