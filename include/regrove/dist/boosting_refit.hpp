// Leaf values as exact quantiles of residuals over all ranks, for losses whose best value is one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/train/boosting_tree_grower.hpp"

namespace regrove::dist {

/// Exact quantiles of numbers by set; `sets` as objective::QuantileSelection takes them. Weights: empty on all ranks: one
/// each. 0 for a set without weight. Collective.
std::vector<double> quantiles(comm::Communicator& comm, std::span<const double> values,
                              std::span<const double> weights, std::span<const std::uint32_t> sets,
                              std::uint32_t set_count, double quantile);

/// One number a row of this rank.
struct RefitRows {
    std::span<const double> residuals;
    std::span<const double> weights;
};

/// Leaf values become the quantile of the residuals of the leaf's rows that took part; a leaf without rows (symmetric
/// growth) answers as its nearest ancestor with rows would. Before the learning rate. Collective.
void refit_leaves(comm::Communicator& comm, train::GrownBoostedTree& grown, const RefitRows& rows, double quantile);

}  // namespace regrove::dist
