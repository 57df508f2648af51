// Reads chunks behind Regrove's own filters with all threads, which HDF5 cannot.
#pragma once

#include <cstdint>
#include <span>

#include "regrove/data/schema.hpp"
#include "regrove/store/hdf5_handle.hpp"

namespace regrove::store {

/// Rows of a chunk when the dataset's cells are little-endian cells of `type` in chunks behind shuffle, deflate and
/// Fletcher32, in this order; zero otherwise.
std::uint64_t packed_chunk_rows(hid_t dataset, data::ColumnType type);

/// The cells [begin, begin + cells.size() / cell_bytes). Needs memory for one chunk a thread. Throws Hdf5Failure.
void read_packed_chunks(hid_t dataset, std::uint64_t chunk_rows, std::size_t cell_bytes, std::uint64_t begin,
                        std::span<char> cells);

}  // namespace regrove::store
