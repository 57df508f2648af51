// A born-again tree is the same on any number of ranks and threads, and a search that one rank ends, ends on all.
#include <gtest/gtest.h>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/dist/shared_memo.hpp"
#include "regrove/formats/registry.hpp"

#include "support/mpi_world.hpp"
#include "support/random_ensemble.hpp"
#include "unit/bornagain/small_spaces.hpp"

namespace regrove {
namespace {

using bornagain::Objective;
using test::world;

using Case = bornagain::test::SmallSpace;

Case forest(const std::string& set, int fold) {
    return Case(formats::read_model(REGROVE_TEST_DATA "/ba_trees/forests/" + set + "/" + set + ".RF" +
                                    std::to_string(fold) + ".txt"));
}

bornagain::RebornResult alone(const Case& given, Objective objective) {
    bornagain::RebornOptions options;
    options.objective = objective;
    return bornagain::reborn(given.ensemble, given.space, options, {});
}

bornagain::RebornResult together(const Case& given, Objective objective, bool share, std::uint64_t& epochs) {
    dist::HostMemo host(world(), share);
    EXPECT_EQ(host.is_everyone_here(), share || world().size() == 1);
    dist::SharedMemo shared(world(), host, false, [] { return false; });
    bornagain::RebornOptions options;
    options.objective = objective;
    bornagain::RebornLimits limits;
    limits.memo = &host.memo();
    limits.hooks = shared.hooks();
    bornagain::RebornResult result = bornagain::reborn(given.ensemble, given.space, options, limits);
    epochs += shared.epochs();
    return result;
}

std::uint64_t expect_same(const Case& given) {
    std::uint64_t epochs = 0;
    for (const Objective objective : {Objective::depth, Objective::leaves, Objective::depth_leaves}) {
        set_thread_count(1);
        const bornagain::RebornResult expected = alone(given, objective);
        for (const auto& [threads, share] : {std::pair(1U, true), std::pair(1U, false), std::pair(2U, true)}) {
            set_thread_count(threads);
            const bornagain::RebornResult found = together(given, objective, share, epochs);
            EXPECT_EQ(found.tree, expected.tree);
            EXPECT_EQ(found.value, expected.value);
            EXPECT_EQ(found.lower_bound, expected.lower_bound);
            EXPECT_EQ(found.ended, bornagain::Ended::optimal);
        }
    }
    return epochs;
}

TEST(BornAgainOnRanks, GivesTheSameTreeOfSmallForests) {
    for (const auto& [set, fold] : {std::pair("COMPAS-ProPublica", 9), std::pair("FICO", 8), std::pair("HTRU2", 7),
                                    std::pair("Pima-Diabetes", 2), std::pair("Seeds", 3)}) {
        SCOPED_TRACE(std::string(set) + " " + std::to_string(fold));
        expect_same(forest(set, fold));
    }
}

TEST(BornAgainOnRanks, GivesTheSameTreeOfALargerForest) { EXPECT_GT(expect_same(forest("Seeds", 10)), 0U); }

TEST(BornAgainOnRanks, GivesTheSameTreeOfRandomEnsembles) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        test::RandomEnsembleShape shape;
        shape.seed = seed;
        shape.classes = 2 + seed % 2;
        expect_same(Case(test::random_ensemble(shape)));
    }
}

class BornAgainEnds : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Memo, BornAgainEnds, ::testing::Bool(),
                         [](const auto& share) { return share.param ? "Shared" : "Exchanged"; });

TEST_P(BornAgainEnds, EverywhereWhenOneRankMustEnd) {
    const bool share = GetParam();
    const Case given = forest("Seeds", 1);
    set_thread_count(1);
    dist::HostMemo host(world(), share);
    dist::SharedMemo shared(world(), host, false, [] { return false; });
    bornagain::RebornOptions options;
    options.objective = Objective::leaves;
    bornagain::RebornLimits limits;
    limits.memo = &host.memo();
    limits.hooks = shared.hooks();
    const bool is_last = world().rank() + 1 == world().size();
    limits.stop = [is_last, asked = 0]() mutable { return is_last && ++asked > 3; };
    const bornagain::RebornResult found = bornagain::reborn(given.ensemble, given.space, options, limits);
    EXPECT_EQ(found.ended, bornagain::Ended::stopped);
    EXPECT_GE(found.value, 314U);
    EXPECT_LE(found.lower_bound, 314U);
    const auto trees = world().gather_all(std::span<const bornagain::CellNode>(found.tree.nodes));
    for (std::size_t i = 0; i < trees.size(); ++i) EXPECT_EQ(trees[i], trees[i % found.tree.nodes.size()]);
}

TEST_P(BornAgainEnds, AtASafePoint) {
    const bool share = GetParam();
    const Case given = forest("Seeds", 1);
    dist::HostMemo host(world(), share);
    int points = 0;
    dist::SharedMemo shared(world(), host, true, [&points] { return ++points > 3; });
    bornagain::RebornOptions options;
    options.objective = Objective::leaves;
    bornagain::RebornLimits limits;
    limits.memo = &host.memo();
    limits.hooks = shared.hooks();
    const bornagain::RebornResult found = bornagain::reborn(given.ensemble, given.space, options, limits);
    EXPECT_EQ(found.ended, bornagain::Ended::stopped);
    EXPECT_EQ(points, 4);
    EXPECT_GT(world().sum(shared.take_unsaved().size()), 0U);
}

}  // namespace
}  // namespace regrove
