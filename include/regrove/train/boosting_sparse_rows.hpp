// The rows of all ranks as a search of sparse columns sees them: a rounded gradient and the node that the row is in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/train/boosting_exchange.hpp"
#include "regrove/train/boosting_gradients.hpp"

namespace regrove::train {

/// The place of rows that take no part in the tree; node n has place n + 1.
constexpr std::uint32_t k_out_of_tree = 0;
constexpr std::uint32_t place_of_node(std::uint32_t node) { return node + 1; }

struct PackedRow {
    std::int16_t gradient = 0;
    std::uint16_t hessian = 0;
    std::uint32_t place = k_out_of_tree;
};
struct WideRow {
    std::int64_t gradient = 0;
    std::int64_t hessian = 0;
    std::uint32_t place = k_out_of_tree;
};

inline GradientSums sums_of(const PackedRow& row) { return {row.gradient, row.hessian, 1}; }
inline GradientSums sums_of(const WideRow& row) { return {row.gradient, row.hessian, 1}; }

/// The rows of all ranks in global order, those that take part in the root; by the tree's grid. Collective.
template <class Row>
std::vector<Row> gather_rows(const TreeRows& own, std::uint64_t own_count, BoostingExchange& exchange);

/// Rows of an opened node: those listed go to one child, all others to the other one.
struct OpenedRows {
    std::uint32_t node = 0;
    std::uint32_t child_of_listed = 0;
    std::uint32_t child_of_others = 0;
    std::span<const std::uint32_t> listed;  ///< over all ranks; rows of other nodes among them stay
};

/// Time O(rows + listed rows).
template <class Row>
void move_rows(std::span<const OpenedRows> opened, std::uint32_t nodes, std::vector<Row>& rows);

}  // namespace regrove::train
