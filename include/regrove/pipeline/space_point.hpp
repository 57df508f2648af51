// A cell of a space as a point that prediction can be asked about: values for people, and the class that a model
// gives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regrove/cellspace/space.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

struct PointValue {
    std::string feature;
    std::string value;  ///< as cellspace::example_text
};

/// One value an axis, in the space's order. No question asks for further features.
std::vector<PointValue> point_of(const cellspace::Space& space, std::span<const std::uint32_t> cell);

/// The model's class for the point, by the plain walk of prediction through its trees, which knows of no cells.
std::uint32_t predicted_class(const model::Ensemble& ensemble, const cellspace::Space& space,
                              std::span<const std::uint32_t> cell);

}  // namespace regrove::pipeline
