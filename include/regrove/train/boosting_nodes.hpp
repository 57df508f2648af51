// The nodes of a boosted tree while it grows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/model/split.hpp"
#include "regrove/train/boosting_columns.hpp"
#include "regrove/train/boosting_histogram.hpp"
#include "regrove/train/boosting_split.hpp"

namespace regrove::train {

/// Children are made in pairs. All but `rows` is the same on every rank.
struct GrowingNode {
    std::span<RowEntry> rows;       ///< this rank's rows
    std::span<RowEntry> spare;      ///< as long, in the other buffer
    std::uint64_t global_rows = 0;  ///< over all ranks
    GradientSums sums;              ///< in units of the grid that the tree grows on
    ValueBounds bounds;
    std::uint32_t depth = 0;
    std::uint32_t left = 0;  ///< children's numbers; zero: not opened
    std::uint32_t right = 0;
    bool evaluated = false;
    BoostingCandidate best;
    double gain = 0;  ///< of `best`; a node is worth opening when it is above the least gain
    bool splittable = false;
    Histogram histogram;                ///< of the positions that this rank owns; empty: not kept
    std::uint64_t key = 0;              ///< of what is drawn for the node
    std::vector<std::uint32_t> groups;  ///< interaction groups that hold the path's features
    model::Question question;           ///< set when opened
    CodeQuestion codes;
};

}  // namespace regrove::train
