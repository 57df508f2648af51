// Means over all ranks' rows from exact sums: the same bits for any order of adding and any number of ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/core/exact_sum.hpp"

namespace regrove::dist {

/// Each rank's sums, added over the ranks, rounded once, and divided by `count` (above zero). Collective; 568 bytes a
/// sum.
std::vector<double> exact_means(comm::Communicator& comm, const std::vector<ExactSum>& sums, std::uint64_t count);

}  // namespace regrove::dist
