#include "block_packer.hpp"

#include <algorithm>
#include <type_traits>
#include <variant>

#include "regrove/core/check.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/store/chunk_codec.hpp"

#include "byte_stream.hpp"
#include "table_layout.hpp"

namespace regrove::store {

std::string to_bytes(const RowBlock& block) {
    ByteWriter out;
    out.put(block.is_packed);
    out.put(block.first_row);
    out.put(block.rows);
    out.put(static_cast<std::uint64_t>(block.columns.size()));
    for (const auto& column : block.columns) out.put_text(column);
    return out.take();
}

RowBlock row_block_from_bytes(std::string_view bytes) {
    ByteReader in(bytes);
    RowBlock block;
    block.is_packed = in.get<bool>();
    block.first_row = in.get<std::uint64_t>();
    block.rows = in.get<std::uint64_t>();
    block.columns.resize(in.get<std::uint64_t>());
    for (auto& column : block.columns) column = in.get_text();
    return block;
}

BlockPacker::BlockPacker(const data::Schema& schema, std::uint64_t table_rows, int deflate_level, Sink sink)
    : block_rows_(layout::chunk_rows(schema)),
      table_rows_(table_rows),
      deflate_level_(deflate_level),
      sink_(std::move(sink)) {
    for (const auto& column : schema.columns) cell_bytes_.push_back(layout::cell_bytes(column.type));
    pending_.columns.resize(cell_bytes_.size());
}

/// Rows until the end of the block that the pending rows lie in.
std::uint64_t BlockPacker::room() const {
    const std::uint64_t next_row = pending_.first_row + pending_.rows;
    const std::uint64_t block_end = (pending_.first_row / block_rows_ + 1) * block_rows_;
    return std::min(block_end, table_rows_) - next_row;
}

template <class AddRows>
void BlockPacker::append_rows(std::uint64_t first_row, std::uint64_t rows, const AddRows& add_rows) {
    for (std::uint64_t done = 0; done < rows;) {
        if (pending_.rows == 0) pending_.first_row = first_row + done;
        REGROVE_CHECK(pending_.first_row + pending_.rows == first_row + done);
        const std::uint64_t taken = std::min(rows - done, room());
        for (std::size_t c = 0; c < cell_bytes_.size(); ++c) {
            if (cell_bytes_[c] > 0) add_rows(c, done, taken);
        }
        pending_.rows += taken;
        done += taken;
        if (room() == 0) hand_on();
    }
}

void BlockPacker::append(const data::TableShard& chunk) {
    append_rows(chunk.first_row, chunk.rows, [&](std::size_t c, std::uint64_t begin, std::uint64_t rows) {
        std::visit(
            [&](const auto& cells) {
                using Cell = typename std::decay_t<decltype(cells)>::value_type;
                if constexpr (std::is_arithmetic_v<Cell>) {
                    pending_.columns[c].append(reinterpret_cast<const char*>(cells.data() + begin),
                                               rows * sizeof(Cell));
                }
            },
            chunk.values[c]);
    });
}

void BlockPacker::append(const RowBlock& block) {
    if (block.is_packed) {
        REGROVE_CHECK(pending_.rows == 0);
        sink_(block);
        return;
    }
    append_rows(block.first_row, block.rows, [&](std::size_t c, std::uint64_t begin, std::uint64_t rows) {
        pending_.columns[c].append(block.columns[c], begin * cell_bytes_[c], rows * cell_bytes_[c]);
    });
}

void BlockPacker::flush() {
    if (pending_.rows > 0) hand_on();
}

void BlockPacker::hand_on() {
    const bool is_whole = pending_.first_row % block_rows_ == 0 && room() == 0;
    if (is_whole) {
        const std::uint64_t chunk_rows = std::min(block_rows_, table_rows_);
        parallel_for(cell_bytes_.size(), [&](std::size_t c) {
            if (cell_bytes_[c] == 0) return;
            pending_.columns[c] =
                pack_chunk(pending_.columns[c], chunk_rows * cell_bytes_[c], cell_bytes_[c], deflate_level_);
        });
    }
    pending_.is_packed = is_whole;
    sink_(pending_);
    pending_.is_packed = false;
    pending_.rows = 0;
    for (auto& column : pending_.columns) column.clear();
}

}  // namespace regrove::store
