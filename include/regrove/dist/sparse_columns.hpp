// Sparse rows to binned columns, each on the rank that owns the feature.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/sparse_cells.hpp"
#include "regrove/train/boosting_sparse_columns.hpp"

namespace regrove::dist {

/// `left_out` marks this rank's rows that take no part (empty on all ranks: none). The bins are those of the dense table. Each
/// cell goes once to its feature's owner (8 or 12 bytes). Collective; throws LimitError (agreed) for 2^32 rows or more over all
/// ranks and InputError on infinite values.
std::unique_ptr<train::SparseColumns> make_sparse_columns(comm::Communicator& comm, data::SparseCells cells,
                                                          std::span<const std::uint8_t> left_out,
                                                          std::uint32_t max_bin);

}  // namespace regrove::dist
