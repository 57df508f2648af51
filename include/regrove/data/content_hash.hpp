// A hash of a table's cells that does not depend on how the rows were split over ranks and chunks.
//
// It is the sum (modulo 2^64, two lanes) over all cells of a mix of (global row, column, cell bits), so shards merge
// by addition; it is made of 64-bit integer operations only, so that a script can compute it (docs/table-format.md).
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/core/hash.hpp"
#include "regrove/data/table.hpp"

namespace regrove::data {

/// Sum over the shard's cells. Categories enter by the FNV-1a hash of their name's bytes, so the dictionary's order
/// does not matter; text likewise; numbers by the bits of their value as a double (integers beyond 2^53 by their own
/// bits); a missing cell by a constant. Throws InternalError on a category code outside its dictionary.
Hash128 content_hash(const TableShard& shard);

/// The same, one hash a column of the shard. `table_index[i]` is the index in the whole table of the shard's column
/// i; empty: the shard holds all columns in table order. The content hash is the merge of all columns' hashes.
std::vector<Hash128> column_hashes(const TableShard& shard, const std::vector<std::size_t>& table_index = {});

/// The merge of two shards' hashes: addition in each lane.
Hash128 merge(const Hash128& a, const Hash128& b);

}  // namespace regrove::data
