// How often each of this rank's rows is drawn for a tree, with the draws shared among the ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/train/forest_random.hpp"

namespace regrove::dist {

/// The rows of all ranks, in rank order.
struct RowShares {
    std::vector<std::uint64_t> begins;  ///< ranks + 1
    std::uint64_t first(int rank) const { return begins[static_cast<std::size_t>(rank)]; }
    std::uint64_t count(int rank) const { return begins[static_cast<std::size_t>(rank) + 1] - first(rank); }
};
RowShares share_rows(comm::Communicator& comm, std::uint64_t own_rows);

/// As RowSampling::multiplicities() of this rank's rows: each rank makes its share of the draws and sends each to the owner
/// of the row, 8 * draws / ranks bytes a rank. Collective.
std::vector<std::uint32_t> own_multiplicities(comm::Communicator& comm, const train::RowSampling& sampling,
                                              std::uint64_t tree, const RowShares& shares);

}  // namespace regrove::dist
