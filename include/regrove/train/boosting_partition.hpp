// Sends the rows of nodes to their children, in order, from one of two buffers to the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/train/boosting_gradients.hpp"
#include "regrove/train/boosting_layout.hpp"

namespace regrove::train {

/// How codes of one feature answer a question, or its values where all of them are candidates; or, where the feature has neither
/// (sparse tables), which rows answer otherwise than most.
struct CodeQuestion {
    CodeColumn column;
    /// Numeric: codes in [right_begin, right_begin + right_count) go right.
    std::uint32_t right_begin = 0;
    std::uint32_t right_count = 0;
    /// Categories: goes_right[code]; empty for numeric questions.
    std::vector<std::uint8_t> goes_right;
    /// Without a column: this rank's rows that do not answer as `others_right` says, ascending.
    std::vector<std::uint32_t> otherwise = {};
    bool others_right = false;
    /// Numeric, in place of codes: values up to `threshold` go left.
    const data::ColumnValues* values = nullptr;
    double threshold = 0;
    bool missing_right = false;

    bool right(std::uint32_t code) const {
        return goes_right.empty() ? code - right_begin < right_count : goes_right[code] != 0;
    }
    /// Of a row of this rank.
    bool row_right(std::size_t row) const;
};

/// `entries` go to the front of `to` (left) and behind them (right), each in its old order; `entries` is overwritten.
struct PartitionJob {
    std::span<RowEntry> entries;
    std::span<RowEntry> to;  ///< as long
    const CodeQuestion* question = nullptr;
    std::uint64_t left = 0;  ///< result: rows that went left
};

/// All jobs over the threads. Time O(rows).
void partition(std::span<PartitionJob> jobs);

}  // namespace regrove::train
