// The part of a space that a table's rows speak for.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/cellspace/space.hpp"
#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/table_cells.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::pipeline {

/// Which cells of a space hold rows, or, with `corners_only`, the lowest and highest cells on the axes (see
/// dist::range_corners). `ensemble` is one that the space was made for and knows all its axes; columns are found as
/// it finds them. Warnings say what the columns hold that the model does not know. Collective; throws InputError when
/// the table does not fit, or when no row lies in the space.
dist::TableCells supported_cells(comm::Communicator& comm, const cellspace::Space& space,
                                 const model::Ensemble& ensemble, const data::TableShard& shard, bool corners_only,
                                 std::vector<std::string>& warnings);

}  // namespace regrove::pipeline
