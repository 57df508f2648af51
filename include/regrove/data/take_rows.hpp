// Some rows of a shard as a shard of its own.
#pragma once

#include <cstdint>
#include <span>

#include "regrove/data/table.hpp"

namespace regrove::data {

/// The rows at these places of the shard, in the order given (a place may stand several times), as a whole table of its
/// own: first_row 0, global_rows = rows.
TableShard take_rows(const TableShard& shard, std::span<const std::uint64_t> places);

}  // namespace regrove::data
