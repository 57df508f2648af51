// A hash of a table's cells that does not depend on how the rows were split over ranks and chunks.
//
// It is the sum (modulo 2^64, two lanes) over all cells of a mix of (global row, column, cell bits), so shards merge by
// addition; it is made of 64-bit integer operations only, so that a script can compute it (docs/table-format.md).
#pragma once

#include <cstdint>

#include "regrove/core/hash.hpp"
#include "regrove/data/table.hpp"

namespace regrove::data {

/// Sum over the shard's cells. Categories enter by the XXH3 hash of their name's bytes, so the dictionary's order does
/// not matter; numbers by the bits of their value as a double; a missing cell by a constant.
Hash128 content_hash(const TableShard& shard);

/// The merge of two shards' hashes: addition in each lane.
Hash128 merge(const Hash128& a, const Hash128& b);

}  // namespace regrove::data
