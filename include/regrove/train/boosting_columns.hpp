// Which features a node may ask about: drawn for the tree, its level and the node, and allowed by interaction constraints.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/train/boosting_options.hpp"

namespace regrove::train {

/// Sets of features that may stand on one path. None: all may.
using InteractionGroups = std::vector<std::vector<std::uint32_t>>;

/// A mark a feature; empty: all features.
using FeatureMarks = std::vector<std::uint8_t>;

/// What is drawn for one tree: pure functions of the seed, the tree's number, the depth and the node's path.
class ColumnSampling {
  public:
    /// `tree` counts from the first tree of the model, also where training goes on.
    ColumnSampling(const BoostingOptions& options, std::uint32_t features, std::uint64_t seed, std::uint64_t tree);

    /// The key of the root, and of the children of a node.
    std::uint64_t root_key() const;
    std::uint64_t child_key(std::uint64_t key, bool right) const;
    FeatureMarks features(std::uint32_t depth, std::uint64_t node_key) const;

  private:
    double by_level_;
    double by_node_;
    std::uint64_t seed_;
    std::uint64_t tree_;
    std::uint32_t features_;
    std::vector<std::uint32_t> of_tree_;
};

/// The groups that all features of a path are in. Root: all groups.
class Interactions {
  public:
    Interactions() = default;
    Interactions(InteractionGroups groups, std::uint32_t features);

    bool any() const { return !groups_.empty(); }
    std::vector<std::uint32_t> root() const;
    std::vector<std::uint32_t> below(std::span<const std::uint32_t> alive, std::uint32_t feature) const;
    /// Takes away what no group alive holds; `marks` may be empty (all).
    void restrict_to(std::span<const std::uint32_t> alive, FeatureMarks& marks) const;

  private:
    InteractionGroups groups_;  ///< those given, and one for each feature that is in none
    std::vector<std::vector<std::uint32_t>> groups_of_;
};

}  // namespace regrove::train
