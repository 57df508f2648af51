// The exact tree grown by all ranks equals, byte for byte, the one that a single rank grows from the whole table.
#include <gtest/gtest.h>

#include "regrove/core/parallel.hpp"
#include "regrove/dist/cart_grower.hpp"
#include "regrove/formats/registry.hpp"

#include "support/mpi_world.hpp"
#include "support/random_table.hpp"

namespace regrove {
namespace {

using test::world;

struct Case {
    const char* name;
    test::RandomTableShape shape;
    train::CartOptions options;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    test::RandomTableShape shape;
    shape.rows = 700;
    shape.seed = 5;
    train::CartOptions options;
    all.push_back({"two classes, few values", shape, options});
    options.criterion = train::Criterion::entropy;
    shape.classes = 3;
    shape.weighted = shape.real_weights = true;
    options.missing_split = train::MissingSplit::separate;
    all.push_back({"three classes, entropy, real weights", shape, options});
    shape.classes = 0;
    options.criterion = train::Criterion::squared_error;
    options.missing_split = train::MissingSplit::surrogate;
    all.push_back({"regression, surrogates", shape, options});
    shape.continuous = true;
    shape.weighted = false;
    shape.missing_share = 0.05;
    options.missing_split = train::MissingSplit::side;
    options.max_leaves = 23;
    all.push_back({"regression, continuous, 23 leaves", shape, options});
    shape.classes = 2;
    shape.rows = 3000;
    options = {};
    options.max_depth = 9;
    all.push_back({"continuous, depth 9", shape, options});
    shape.rows = 3;
    shape.classes = 2;
    all.push_back({"more ranks than rows", shape, options});
    shape.rows = 5000;
    shape.seed = 8;
    shape.levels = 3;
    shape.continuous = false;
    all.push_back({"long stretches of equal values", shape, {}});
    return all;
}

std::string grown_model(comm::Communicator& comm, const data::TableShard& shard, const train::CartOptions& options) {
    const dist::TrainingSet set = dist::make_training_set(comm, shard, options);
    return formats::write_model(dist::make_ensemble(set, dist::grow_cart_tree(comm, set, options).tree));
}

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

TEST(ExactTree, IsTheSameOnAnyNumberOfRanksAndThreads) {
    auto& comm = world();
    const auto alone = comm::make_self_communicator();
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        const data::TableShard table = test::random_table(c.shape);
        set_thread_count(1);
        const std::string expected = grown_model(*alone, table, c.options);
        EXPECT_GT(expected.size(), 300U);
        for (const unsigned threads : {1U, 2U}) {
            set_thread_count(threads);
            EXPECT_EQ(grown_model(comm, share(table, comm.rank(), comm.size()), c.options), expected);
        }
        set_thread_count(1);
    }
}

TEST(ExactTree, GrowthOrderDoesNotChangeTheFullTree) {
    auto& comm = world();
    test::RandomTableShape shape;
    shape.rows = 300;
    const data::TableShard table = share(test::random_table(shape), comm.rank(), comm.size());
    train::CartOptions best_first;
    best_first.growth_order = train::GrowthOrder::best_first;
    train::CartOptions depth_first;
    depth_first.growth_order = train::GrowthOrder::depth_first;
    train::CartOptions enough_leaves = best_first;
    enough_leaves.max_leaves = 100000;
    const std::string expected = grown_model(comm, table, best_first);
    EXPECT_EQ(grown_model(comm, table, depth_first), expected);
    EXPECT_EQ(grown_model(comm, table, enough_leaves), expected);
}

TEST(ExactTree, TrafficOfALevelFallsWithRowsOverRanksAndNotWithRanks) {
    auto& comm = world();
    test::RandomTableShape shape;
    shape.rows = 40000;
    shape.numeric = 6;
    shape.categorical = 0;
    shape.continuous = true;
    shape.missing_share = 0;
    train::CartOptions options;
    options.max_depth = 5;
    const dist::TrainingSet set =
        dist::make_training_set(comm, share(test::random_table(shape), comm.rank(), comm.size()), options);
    const dist::GrownTree grown = dist::grow_cart_tree(comm, set, options);
    // docs/scaling.md: keys of the own rows, one byte each (fewer than 255 keys), plus terms a node.
    for (const auto& round : grown.rounds) {
        const std::uint64_t keys = std::uint64_t{6} * set.rows();
        const std::uint64_t a_node = 6 * (8 * 3 + 2 * 32) + 3 * 256 + 64;
        EXPECT_LE(round.bytes, keys + (round.nodes + 1) * a_node + 4096) << round.nodes << " nodes";
    }
    EXPECT_EQ(grown.rounds.size(), 6U);
}

}  // namespace
}  // namespace regrove
