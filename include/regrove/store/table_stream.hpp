// A rank's share of a table, chunk after chunk, for tables larger than memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/store/table_file.hpp"

namespace regrove::store {

class TableStream {
  public:
    /// Collective. Columns and errors as for read_table; `chunk_rows` > 0 is the same on every rank.
    TableStream(comm::Communicator& comm, const std::string& path, std::uint64_t chunk_rows,
                const std::vector<std::string>& columns = {}, const ReadOptions& options = {});
    ~TableStream();
    TableStream(const TableStream&) = delete;
    TableStream& operator=(const TableStream&) = delete;

    /// The whole table's description.
    const TableFileInfo& info() const;
    /// The columns that the chunks hold.
    const data::Schema& schema() const;
    /// Puts the next rows of this rank's share into `chunk`, at most chunk_rows of them, and returns true; false on
    /// all ranks at once when no rank has rows left (`chunk` is empty then, and the hashes have been compared). A
    /// rank that is done before another gets empty chunks. Collective.
    bool next(data::TableShard& chunk);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace regrove::store
