// Sampled bounds and estimates never claim more than the exact search finds, whatever the time.
#include "regrove/bornagain/estimate.hpp"

#include <gtest/gtest.h>

#include "../src/bornagain/root_tensor.hpp"
#include "../src/bornagain/sampled_bounds.hpp"
#include "../src/bornagain/search.hpp"
#include "small_spaces.hpp"

namespace regrove::bornagain {
namespace {

using test::small_space;
using test::SmallSpace;

constexpr std::uint64_t k_seeds = 80;

template <class O>
std::uint64_t solve(const RootTensor& root) {
    if (root.classes == 1) return O::k_leaf;
    Memo memo;
    SearchControl control(memo, 1);
    Search<O> search(control, 0);
    const StateKey key = tensor_kernels().key(root.tensor);
    StateBounds bounds = search.bounds(root.tensor, key, {});
    while (!bounds.solved())
        bounds = search.solve(root.tensor, key, {}, O::k_monotone_sides ? bounds.lower : k_unbounded - 1);
    return bounds.lower;
}

TEST(SampledBounds, AreNoHigherThanTheOptimumAndOftenReachIt) {
    std::uint64_t leaves_met = 0;
    std::uint64_t depth_met = 0;
    for (std::uint64_t seed = 0; seed < k_seeds; ++seed) {
        const SmallSpace one = small_space(seed, 2 + seed % 2);
        const cellspace::Box box = cellspace::whole(one.space);
        const RootTensor root = root_tensor(one.ensemble, box);
        const std::uint64_t leaves = solve<LeavesObjective>(root);
        const std::uint64_t depth = solve<DepthObjective>(root);
        SampledBoundsOptions options;
        options.samples = 200;
        options.seed = seed;
        const SampledBounds bounds = sampled_bounds(one.ensemble, box, options, {});
        ASSERT_LE(bounds.leaves, leaves) << "seed " << seed;
        ASSERT_LE(bounds.depth, depth) << "seed " << seed;
        ASSERT_LE(bounds.relevant_hyperplanes, root.classes == 1 ? 0 : root.tensor.shape.hyperplanes());
        leaves_met += bounds.leaves == leaves ? 1 : 0;
        depth_met += bounds.depth == depth ? 1 : 0;
    }
    EXPECT_GT(leaves_met, k_seeds / 2);
    EXPECT_GT(depth_met, k_seeds / 2);
}

/// The smallest box around any two cells of the set holds two classes, as every cell of it says.
TEST(SampledBounds, NoTwoCellsOfTheSetCanShareALeaf) {
    std::uint64_t pairs = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const SmallSpace one = small_space(seed, 4);
        SampledBoundsOptions options;
        options.samples = 50;
        const SampledBounds bounds = sampled_bounds(one.ensemble, cellspace::whole(one.space), options, {});
        const std::size_t axes = one.space.axes.size();
        const std::size_t cells = axes == 0 ? 0 : bounds.cells.size() / axes;
        for (std::size_t i = 0; i < cells; ++i)
            for (std::size_t j = 0; j < i; ++j, ++pairs) {
                cellspace::Box box = cellspace::whole(one.space);
                for (std::size_t axis = 0; axis < axes; ++axis) {
                    box.low[axis] = std::min(bounds.cells[i * axes + axis], bounds.cells[j * axes + axis]);
                    box.high[axis] = std::max(bounds.cells[i * axes + axis], bounds.cells[j * axes + axis]);
                }
                bool impure = false;
                test::for_each_cell(box, [&](const auto& cell) {
                    impure = impure || one.ensemble.class_at(cell) != one.ensemble.class_at(box.low);
                });
                ASSERT_TRUE(impure) << "seed " << seed;
            }
    }
    EXPECT_GT(pairs, 100U);
}

TEST(SampledBounds, AreProvenWhereverTheyEnd) {
    const SmallSpace one = small_space(31, 4);
    const RootTensor root = root_tensor(one.ensemble, cellspace::whole(one.space));
    for (int asked = 0; asked < 40; asked += 3) {
        int left = asked;
        const SampledBounds bounds =
            sampled_bounds(one.ensemble, cellspace::whole(one.space), {}, [&] { return left-- <= 0; });
        EXPECT_LE(bounds.leaves, solve<LeavesObjective>(root));
        EXPECT_GE(bounds.leaves, 1U);
    }
}

TEST(Estimate, BracketsTheOptimum) {
    for (std::uint64_t seed = 0; seed < k_seeds; ++seed) {
        const SmallSpace one = small_space(seed, 2 + seed % 2);
        const cellspace::Box box = cellspace::whole(one.space);
        const RootTensor root = root_tensor(one.ensemble, box);
        const std::uint64_t leaves = solve<LeavesObjective>(root);
        const std::uint64_t depth = solve<DepthObjective>(root);
        EstimateOptions options;
        options.samples = 100;
        const Estimate made = estimate(one.ensemble, box, options);
        EXPECT_EQ(made.hyperplanes, one.space.hyperplanes());
        EXPECT_TRUE(made.all_cells_seen);
        EXPECT_FALSE(made.ended_early);
        EXPECT_TRUE(made.fits_exact_search);
        EXPECT_EQ(made.relevant_hyperplanes, root.classes == 1 ? 0 : root.tensor.shape.hyperplanes());
        ASSERT_LE(made.leaves.lower, leaves) << "seed " << seed;
        ASSERT_GE(made.leaves.upper, leaves) << "seed " << seed;
        ASSERT_LE(made.depth.lower, depth) << "seed " << seed;
        ASSERT_GE(made.depth.upper, depth) << "seed " << seed;
        ASSERT_GE(made.depth_sum, depth) << "seed " << seed;  // theorem 2
        EXPECT_FALSE(made.advice.empty() && made.trees > 1);
    }
}

TEST(Estimate, KeepsToItsTimeAndSaysSo) {
    const SmallSpace one = small_space(43, 5);
    EstimateOptions options;
    options.elapsed = [] { return 100.0; };
    const Estimate made = estimate(one.ensemble, cellspace::whole(one.space), options);
    EXPECT_TRUE(made.ended_early);
    EXPECT_GE(made.leaves.lower, made.relevant_hyperplanes + 1);
    EXPECT_EQ(made.depth.upper, made.depth_sum);
}

}  // namespace
}  // namespace regrove::bornagain
