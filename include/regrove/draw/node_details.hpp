// Every figure of a node in words, one a line: what a picture shows when the pointer rests on a box.
#pragma once

#include <string>

#include "regrove/model/ensemble.hpp"

namespace regrove::draw {

/// `tree` must be one of the ensemble's; numbers in full precision.
std::string node_details(const model::Ensemble& ensemble, const model::Tree& tree, NodeId id);

}  // namespace regrove::draw
