// Strong identifiers, so that a feature is never taken for a node.
//
// Glossary of the whole project:
//   row       one example of a table; its global index counts over all ranks
//   column    one named, typed vector of a table; a feature is a column that a model may ask about
//   node      an element of a tree; the root is node 0, children come after their parent (pre-order)
//   slot      the number of an open node within one level of growth
//   run       a rank's contiguous piece of one column's order over all rows
#pragma once

#include <cstdint>

namespace regrove {

using RowIndex = std::uint64_t;

enum class FeatureId : std::uint32_t {};
enum class NodeId : std::uint32_t {};

constexpr FeatureId k_no_feature{0xffffffffU};
constexpr NodeId k_no_node{0xffffffffU};

constexpr std::uint32_t index(FeatureId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }

}  // namespace regrove
