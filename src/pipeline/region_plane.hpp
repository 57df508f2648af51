// The plane that a person asks for: its two features, its ends, and where all others are held.
#pragma once

#include <string>
#include <vector>

#include "regrove/infer/plane_regions.hpp"
#include "regrove/pipeline/region_picture.hpp"

namespace regrove::pipeline {

struct RegionPlane {
    infer::Plane plane;
    std::vector<std::string> held;  ///< "age = 54" of every other feature that the model asks for
};

RegionPlane make_region_plane(const model::Ensemble& ensemble, const RegionRequest& request,
                              const data::TableShard* rows);

/// The numbers of a feature's column, NaN where missing. Throws InputError when the table has no such column.
std::vector<double> column_numbers(const data::TableShard& rows, const std::string& name);

}  // namespace regrove::pipeline
