#include "regrove/dist/leaf_rows.hpp"

#include "regrove/comm/agreement.hpp"
#include "regrove/core/check.hpp"
#include "regrove/infer/predictor.hpp"

namespace regrove::dist {

std::vector<std::uint64_t> leaf_rows(comm::Communicator& comm, const model::Ensemble& ensemble,
                                     const data::TableShard& shard) {
    REGROVE_CHECK(ensemble.trees.size() == 1);
    std::vector<std::uint64_t> rows(ensemble.trees.front().nodes.size(), 0);
    comm::agree_on(comm, [&] {
        const infer::Predictor predictor(ensemble, shard.schema);
        for (const NodeId leaf : predictor.leaves(shard)) ++rows[index(leaf)];
    });
    comm.sum(std::span<std::uint64_t>(rows));
    return rows;
}

}  // namespace regrove::dist
