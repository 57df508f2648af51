// Every figure of a node in words, one a line: what a picture shows when the pointer rests on a box.
#pragma once

#include <cstdint>
#include <string>

#include "regrove/model/ensemble.hpp"

namespace regrove::draw {

/// `tree` must be one of the ensemble's; `leaf_number` is a leaf's number from left to right, from zero, as
/// prediction has it. Numbers in full precision.
std::string node_details(const model::Ensemble& ensemble, const model::Tree& tree, NodeId id,
                         std::uint32_t leaf_number);

}  // namespace regrove::draw
