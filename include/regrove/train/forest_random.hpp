// The random choices of a forest: pure functions of the seed and of what is chosen for, never of who asks.
//
// A tree's rows are keyed by the tree's number, a node's choices by the path from its root. So a tree is the same wherever
// it is grown, and more trees leave the first ones as they are.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/core/random.hpp"
#include "regrove/model/split.hpp"

namespace regrove::train {

/// The rows that each tree of a forest is grown on.
struct RowSampling {
    std::uint64_t seed = 0;
    std::uint64_t rows = 0;   ///< of the table, over all ranks
    std::uint64_t draws = 0;  ///< rows drawn for a tree
    bool bootstrap = true;    ///< with replacement

    /// The row of one draw (bootstrap).
    std::uint64_t drawn_row(std::uint64_t tree, std::uint64_t draw) const;
    /// How often each of the rows [first, first + count) is drawn, by looking at all draws: O(draws), or O(count) without
    /// replacement.
    std::vector<std::uint32_t> multiplicities(std::uint64_t tree, std::uint64_t first, std::uint64_t count) const;
};

/// The number of draws that a share of the rows means: at least one.
std::uint64_t draws_for_share(double share, std::uint64_t rows);

/// A node's random choices.
class NodeRandom {
  public:
    static NodeRandom root(std::uint64_t seed, std::uint64_t tree);
    NodeRandom child(model::Side side) const;

    /// `count` of the features in random order; all of them in their own order. Time O(features).
    std::vector<std::uint32_t> sample_features(std::uint32_t features, std::uint32_t count) const;
    /// All other features, in random order: those that are looked at one after the other until one gains.
    std::vector<std::uint32_t> order_of_others(std::uint32_t features, std::uint32_t count) const;
    /// Uniform in [0, 1): where the random threshold of a numeric feature lies between its least and greatest value.
    double threshold_share(std::uint32_t feature) const;
    /// Whether a category of a feature goes right, by a fair coin.
    bool category_right(std::uint32_t feature, std::uint32_t category) const;

  private:
    /// A random order of the features, its first `count` places settled.
    std::vector<std::uint32_t> shuffled(std::uint32_t features, std::uint32_t count) const;
    NodeRandom(std::uint64_t seed, std::uint64_t key) : seed_(seed), key_(key), draws_(seed, key) {}
    std::uint64_t seed_;
    std::uint64_t key_;
    CounterRandom draws_;
};

/// A value of [low, high), or low when they are neighbours: share 0 gives low.
double value_between(double low, double high, double share);

}  // namespace regrove::train
