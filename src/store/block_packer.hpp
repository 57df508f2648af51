// Gathers consecutive rows into blocks that are whole HDF5 chunks in every column, and compresses those.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/data/table.hpp"

namespace regrove::store {

/// Rows [first_row, first_row + rows): one string of bytes a column. Either the cells as they lie in memory, or the
/// packed chunk. Text columns stay empty.
struct RowBlock {
    bool is_packed = false;
    std::uint64_t first_row = 0;
    std::uint64_t rows = 0;
    std::vector<std::string> columns;
};

std::string to_bytes(const RowBlock& block);
RowBlock row_block_from_bytes(std::string_view bytes);

/// Takes rows in order, in pieces of any length, and hands on blocks in order: packed ones that begin at a multiple
/// of the block's rows and are whole (or reach the table's end), and unpacked ones for the rows before the first and
/// after the last of these. Holds at most one block of rows.
class BlockPacker {
  public:
    using Sink = std::function<void(const RowBlock&)>;

    BlockPacker(const data::Schema& schema, std::uint64_t table_rows, int deflate_level, Sink sink);
    void append(const data::TableShard& chunk);
    /// Rows that another packer handed on. A packed block must come at a block's boundary.
    void append(const RowBlock& block);
    /// Hands on what is left.
    void flush();

  private:
    std::uint64_t room() const;
    template <class AddRows>
    void append_rows(std::uint64_t first_row, std::uint64_t rows, const AddRows& add_rows);
    void hand_on();

    std::vector<std::size_t> cell_bytes_;
    std::uint64_t block_rows_;
    std::uint64_t table_rows_;
    int deflate_level_;
    Sink sink_;
    RowBlock pending_;
};

}  // namespace regrove::store
