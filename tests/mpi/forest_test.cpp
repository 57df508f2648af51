// A forest is the same, byte for byte, whichever of rows and trees is dealt, on any number of ranks and threads.
#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/dist/forest_grower.hpp"
#include "regrove/dist/out_of_bag.hpp"
#include "regrove/dist/subtree_handover.hpp"
#include "regrove/formats/registry.hpp"

#include "support/forest_cases.hpp"
#include "support/mpi_world.hpp"

namespace regrove {
namespace {

using test::world;

/// Uneven shares; with three ranks or more, rank 1 has no rows.
data::TableShard share(const data::TableShard& table, int rank, int ranks) {
    const auto cut = [&](int r) -> std::size_t {
        if (r == 0) return 0;
        if (r >= ranks) return table.rows;
        if (ranks >= 3 && r == 2) r = 1;
        return table.rows * static_cast<std::size_t>(r * r) / static_cast<std::size_t>(ranks * ranks);
    };
    return data::slice(table, cut(rank), cut(rank + 1));
}

bool has_out_of_bag(const train::ForestOptions& forest) { return forest.bootstrap || forest.subsample < 1; }

TEST(Forest, IsTheSameHoweverItIsSpread) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    for (test::ForestCase& c : test::forest_cases(11, 150)) {
        SCOPED_TRACE(c.name);
        c.forest.trees = 3;
        const data::TableShard table = random_table(c.shape);
        c.forest.out_of_bag = has_out_of_bag(c.forest);
        c.forest.spread = train::Spread::trees;
        set_thread_count(1);
        const dist::GrownForest expected = dist::grow_forest(*alone, table, c.cart, c.forest, 42);
        const std::string expected_bytes = formats::write_model(expected.ensemble);
        const data::TableShard own = share(table, comm.rank(), comm.size());
        for (const unsigned threads : {1U, 2U}) {
            for (const auto spread : {train::Spread::trees, train::Spread::rows}) {
                SCOPED_TRACE(testing::Message() << threads << " threads, "
                                                << (spread == train::Spread::rows ? "rows" : "trees") << " dealt");
                set_thread_count(threads);
                c.forest.spread = spread;
                const dist::GrownForest grown = dist::grow_forest(comm, own, c.cart, c.forest, 42);
                ASSERT_TRUE(formats::write_model(grown.ensemble) == expected_bytes);
                if (!c.forest.out_of_bag) continue;
                ASSERT_EQ(grown.out_of_bag->trees.size(), own.rows);
                const std::size_t outputs = grown.ensemble.outputs();
                for (std::size_t row = 0; row < own.rows; ++row) {
                    ASSERT_EQ(grown.out_of_bag->trees[row], expected.out_of_bag->trees[own.first_row + row]);
                    for (std::size_t k = 0; k < outputs; ++k) {
                        ASSERT_EQ(grown.out_of_bag->answer[row * outputs + k],
                                  expected.out_of_bag->answer[(own.first_row + row) * outputs + k]);
                    }
                }
                const auto expected_score = dist::score_out_of_bag(*alone, expected, table);
                EXPECT_EQ(dist::score_out_of_bag(comm, grown, own).metrics, expected_score.metrics);
            }
        }
        set_thread_count(1);
    }
}

TEST(Forest, MoreRanksThanTreesOrRows) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    test::ForestCase c = test::forest_cases(3, 3)[0];
    c.forest.trees = 1;
    const data::TableShard table = random_table(c.shape);
    const auto expected = dist::grow_forest(*alone, table, c.cart, c.forest, 1);
    for (const auto spread : {train::Spread::trees, train::Spread::rows}) {
        c.forest.spread = spread;
        const auto grown = dist::grow_forest(comm, share(table, comm.rank(), comm.size()), c.cart, c.forest, 1);
        EXPECT_EQ(grown.ensemble, expected.ensemble);
    }
}

/// Dealt trees: a rank's share falls as 1 / ranks; spread rows: a level's statistics do not grow with the rows.
TEST(Forest, BytesOfALevelDoNotGrowWithTheRows) {
    auto& comm = world();
    if (comm.size() == 1) return;
    const auto bytes_for = [&](std::uint32_t rows, std::uint32_t trees) {
        test::ForestCase c = test::forest_cases(5, rows)[0];
        c.shape.continuous = true;
        c.forest.split_points = train::SplitPoints::histogram;
        c.forest.max_bin = 16;
        c.forest.trees = trees;
        c.forest.spread = train::Spread::rows;
        c.forest.bootstrap = false;
        c.cart.max_depth = 3;
        const data::TableShard own = share(random_table(c.shape), comm.rank(), comm.size());
        const auto before = comm.traffic().bytes;
        static_cast<void>(dist::grow_forest(comm, own, c.cart, c.forest, 1));
        return comm.sum(comm.traffic().bytes - before);
    };
    // The difference of two forests leaves the binning of the table out.
    const auto few = bytes_for(2000, 6) - bytes_for(2000, 1);
    const auto many = bytes_for(8000, 6) - bytes_for(8000, 1);
    SCOPED_TRACE(testing::Message() << few << " and " << many << " bytes");
    EXPECT_LT(static_cast<double>(many), 1.1 * static_cast<double>(few));
}

/// Full trees have thousands of nodes; only the upper ones are counted over the ranks, the rows of the others travel once.
TEST(Forest, FullTreesSendTheirRowsOnce) {
    auto& comm = world();
    if (comm.size() == 1) return;
    test::ForestCase c = test::forest_cases(5, 6000)[0];
    c.shape.continuous = true;
    c.forest.split_points = train::SplitPoints::histogram;
    c.forest.max_bin = 32;
    c.forest.spread = train::Spread::rows;
    c.forest.bootstrap = false;
    const data::TableShard own = share(random_table(c.shape), comm.rank(), comm.size());
    const auto bytes_for = [&](std::uint32_t trees) {
        c.forest.trees = trees;
        const auto before = comm.traffic().bytes;
        const auto grown = dist::grow_forest(comm, own, c.cart, c.forest, 1);
        EXPECT_GT(grown.ensemble.trees[0].nodes.size(), 2000U);
        return comm.sum(comm.traffic().bytes - before);
    };
    // Rows: five codes and twenty bytes each. Trees: every node to every other rank. Levels: eight nodes a rank and more.
    const auto ranks = static_cast<std::uint64_t>(comm.size());
    const std::uint64_t rows = 6000 * 25;
    const std::uint64_t trees = 3500 * 200 * (ranks - 1);
    const std::uint64_t levels = 16 * ranks * 2 * 2 * 8 * 3 * 33 * 4 * (ranks - 1);
    EXPECT_LT(bytes_for(3) - bytes_for(2), rows + trees + levels);
}

TEST(DealNodes, GivesTheLargestToTheLeastLoaded) {
    const train::NodeRandom random = train::NodeRandom::root(1, 1);
    std::vector<dist::HandedNode> nodes;
    for (const std::uint64_t rows : {10, 70, 20, 40, 30}) nodes.push_back({0, rows, 0, random});
    EXPECT_EQ(dist::deal_nodes(nodes, 2), (std::vector<int>{1, 0, 0, 1, 1}));
    EXPECT_EQ(dist::deal_nodes(nodes, 1), (std::vector<int>{0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace regrove
