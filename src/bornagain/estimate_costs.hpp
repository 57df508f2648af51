// States, memory and time that the exact searches need, from what they needed on known forests.
#pragma once

#include "regrove/bornagain/estimate.hpp"

namespace regrove::bornagain {

/// Fills in the three searches' costs from the lower bound on leaves and the cells of the grid.
void expect_costs(Estimate& estimate, double log10_grid_cells, std::uint32_t classes);

}  // namespace regrove::bornagain
