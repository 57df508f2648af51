// How a model's mean answer changes with one or two features: partial dependence, over all ranks' rows.
//
// Source: Friedman 2001, "Greedy function approximation: a gradient boosting machine", section 8.2. All rows get the
// same value of the feature and keep their other values, also where no such row could be: features that hang together
// mislead.
#pragma once

#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/infer/feature_grid.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

enum class Response : std::uint8_t {
    answer,  ///< the probability of each class, or the value
    raw,     ///< of models that sum: the scores before the link; of others the same as `answer`
};

struct GridFeature {
    FeatureId feature = k_no_feature;
    std::vector<infer::GridPoint> points;
};

/// Numbers for each point of the grid (the last feature's points run fastest): probabilities of all classes, raw
/// scores or one value, as means over all ranks' rows: exact sums, rounded once, so the same on any number of ranks
/// and threads.
///
/// Each row counts once. Time a rank: O(points * rows * trees that ask for one of the features). Collective; throws
/// InputError, agreed, when no rank has a row or columns do not fit the model.
std::vector<double> partial_dependence(comm::Communicator& comm, const model::Ensemble& ensemble,
                                       const data::TableShard& shard, const std::vector<GridFeature>& grid,
                                       Response response);

}  // namespace regrove::dist
