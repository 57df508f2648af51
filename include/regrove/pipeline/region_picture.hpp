// A model's regions over two of its features as a map: names and values given by a person become a plane.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/draw/region_map.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

struct RegionRequest {
    std::vector<std::string> features;  ///< two numeric features: across, up
    std::vector<std::string> at;        ///< "feature=value": where other features are held
    std::uint32_t points = 2000;        ///< at most that many rows are drawn
};

/// The plane holds all values that training saw or at which the model asks, and all of the table. A feature that is
/// not in `at` is held at the table's median, or most frequent category; without a table in the middle of the range
/// that training saw, and category questions then take the heavier side.
///
/// `rows`: labelled rows to draw as points, or null. Throws ConfigError on names and values that the model does not
/// have, InputError when the table does not fit, LimitError when a forest has too many regions to draw.
draw::RegionMap describe_regions(const model::Ensemble& ensemble, const RegionRequest& request,
                                 const data::TableShard* rows);

}  // namespace regrove::pipeline
