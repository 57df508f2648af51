// Where a rank's cells go while a table is written: three ways behind one interface.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

#include "table_builder.hpp"

namespace regrove::store {

/// Rows arrive in order, in pieces of any length.
class CellSink {
  public:
    virtual ~CellSink() = default;
    /// Takes the rows. Local.
    virtual void write(const data::TableShard& chunk) = 0;
    /// No more rows will come; what this rank itself writes to the file is on disk afterwards. Local.
    virtual void flush() = 0;
    /// Hands what other ranks keep to the root's builder (null elsewhere). Collective.
    virtual void collect(comm::Communicator& comm, TableBuilder* builder) = 0;
};

/// Number and category columns without compression: every rank writes its cells straight to their place in the file.
std::unique_ptr<CellSink> make_direct_cells(const std::string& path, std::vector<std::uint64_t> offsets);

/// Number and category columns with compression: every rank compresses its blocks on all its threads. The root stores
/// its own at once; the others keep theirs in a spool file, for the root to store in row order.
/// `builder` is the root's, null elsewhere.
std::unique_ptr<CellSink> make_packed_cells(const data::Schema& schema, std::uint64_t table_rows, int deflate_level,
                                            const std::string& spool_name, TableBuilder* builder);

/// Text columns: every rank keeps them in a spool file; the root stores them in row order.
std::unique_ptr<CellSink> make_spooled_texts(const data::Schema& schema, std::uint64_t table_rows,
                                             const std::string& spool_name);

}  // namespace regrove::store
