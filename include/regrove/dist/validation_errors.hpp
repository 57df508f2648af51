// Reduced-error pruning against a table spread over ranks: each node's errors are summed over all rows.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/model/ensemble.hpp"

namespace regrove::dist {

/// One tree's cuts, and its errors on the validation rows: weight of wrong answers, or weighted squared errors.
struct ReducedErrors {
    std::vector<NodeId> cuts;
    double before = 0;
    double after = 0;
};

/// For every tree by itself. `shard` is this rank's validation rows with their label. The same on every rank, for any
/// number of them: the sums are exact. Takes about 600 bytes for each node of a block of at most 4096, and one walk up the
/// tree a row for each block. Collective; throws InputError, agreed, on missing or unknown labels and without rows.
std::vector<ReducedErrors> reduced_errors(comm::Communicator& comm, const model::Ensemble& ensemble,
                                          const data::TableShard& shard);

}  // namespace regrove::dist
