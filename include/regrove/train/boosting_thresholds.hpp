// The question about thresholds that growth asks when every distinct value is a candidate, whoever answers it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/train/boosting_columns.hpp"
#include "regrove/train/boosting_split.hpp"

namespace regrove::train {

/// An open node. All but `rows` is the same on every rank.
struct ThresholdNode {
    BoostingNodeView view;
    std::span<const RowEntry> rows;          ///< this rank's
    const FeatureMarks* features = nullptr;  ///< that it may ask about
};

class ThresholdSearch {
  public:
    virtual ~ThresholdSearch() = default;
    /// A tree begins on these rows of this rank, which stay as they are until it ends. Collective.
    virtual void start_tree(const TreeRows& rows) = 0;
    /// The best threshold of each node over all values of all numeric features, with BoostingCandidate::by_value set.
    /// Collective.
    virtual std::vector<BoostingCandidate> search(const BoostingSplitRules& rules,
                                                  std::span<const ThresholdNode> nodes) = 0;
    /// The values of a numeric feature by row of this rank.
    virtual const data::ColumnValues& values(std::uint32_t feature) const = 0;
};

}  // namespace regrove::train
