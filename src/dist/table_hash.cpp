#include "regrove/dist/table_hash.hpp"

#include <array>

#include "regrove/data/content_hash.hpp"

namespace regrove::dist {

std::string table_hash(comm::Communicator& comm, const data::TableShard& shard) {
    const Hash128 own = data::content_hash(shard);
    std::array<std::uint64_t, 2> lanes{own.low, own.high};
    comm.sum(std::span<std::uint64_t>(lanes));
    return to_hex({lanes[0], lanes[1]});
}

}  // namespace regrove::dist
