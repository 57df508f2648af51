// A table that is gone through chunk by chunk, more than once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

class ChunkSource {
  public:
    virtual ~ChunkSource() = default;
    virtual const data::Schema& schema() const = 0;
    virtual std::uint64_t global_rows() const = 0;
    /// The content hash of the whole table where it is known before its rows are read; else empty.
    virtual std::string known_hash() const = 0;
    /// Begins at this rank's first row (again). Collective.
    virtual void rewind() = 0;
    /// The next rows of this rank's share; false on all ranks at once when no rank has rows left. Collective.
    virtual bool next(data::TableShard& chunk) = 0;
};

/// Of an HDF5 table, `chunk_rows` rows at a time, with the roles that `schema` gives to the file's columns. The first time
/// through, cells are compared with the file's hashes. Throws as store::TableStream.
std::unique_ptr<ChunkSource> stream_chunks(comm::Communicator& comm, std::string path, std::uint64_t chunk_rows,
                                           data::Schema schema);

/// Of rows in memory. Collective.
std::unique_ptr<ChunkSource> shard_chunks(comm::Communicator& comm, data::TableShard shard, std::uint64_t chunk_rows);

}  // namespace regrove::dist
