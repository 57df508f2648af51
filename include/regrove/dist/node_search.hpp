// The question that a grower asks about its open nodes, whoever answers it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/model/split.hpp"
#include "regrove/train/forest_random.hpp"

namespace regrove::dist {

/// Nodes to be searched. Slot i is ids[i].
struct OpenNodes {
    std::vector<std::uint32_t> ids;
    std::vector<std::int64_t> totals;       ///< slots x layout size, over all ranks
    std::vector<train::NodeRandom> random;  ///< a slot each; empty where nothing is drawn
    std::uint32_t slots() const { return static_cast<std::uint32_t>(ids.size()); }
};

/// A node's answer.
struct FoundSplit {
    bool splittable = false;
    model::Question question;  ///< complete but for surrogates
    bool gains = false;        ///< some question is better than none, exactly
    double gain = 0;           ///< rounded: of tiny targets it may be zero all the same
    std::uint32_t ties_cutting_differently = 0;
    std::uint32_t ties_cutting_alike = 0;
};

class NodeSearch {
  public:
    virtual ~NodeSearch() = default;
    /// `node_of_row` is this rank's row-to-node map. Collective.
    virtual std::vector<FoundSplit> search(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row) = 0;
    /// How many nodes one call may take, by memory; the same on all ranks.
    virtual std::uint32_t most_slots() const = 0;
};

constexpr std::uint32_t k_no_slot = 0xffffffffU;

/// The slot of each row, k_no_slot for rows of other nodes.
std::vector<std::uint32_t> slots_of_rows(const OpenNodes& nodes, std::span<const std::uint32_t> node_of_row);

}  // namespace regrove::dist
