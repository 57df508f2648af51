// Heuristic trees decide as their ensembles do in every cell, on grids and by samples, and never beat the optimum.
#include "regrove/bornagain/heuristic.hpp"

#include <gtest/gtest.h>

#include "../src/bornagain/region_search.hpp"
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

std::uint64_t optimum(const RootTensor& root, const SmallSpace& one, Objective objective, Memo& memo) {
    RegionSearch search(root, one.ensemble, objective, memo);
    const RegionBounds bounds = search.run({});
    EXPECT_TRUE(bounds.solved);
    return objective == Objective::depth ? bounds.depth.lower : bounds.leaves.lower;
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
                root.classes == 1 ? (objective == Objective::depth ? 0 : 1) : optimum(root, one, objective, memo);
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
            const std::uint64_t best = optimum(root, one, objective, memo);
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
        const std::uint64_t best = optimum(root, one, Objective::depth_leaves, memo);
        Memo depth_memo;
        const std::uint64_t depth = optimum(root, one, Objective::depth, depth_memo);
        TensorHeuristicOptions options = with_effort(Objective::depth_leaves, 0);
        options.depth_budget = static_cast<std::uint32_t>(depth);
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

}  // namespace
}  // namespace regrove::bornagain
