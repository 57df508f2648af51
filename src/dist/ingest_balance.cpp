// One exchange for all columns of the rows that move; ranks hold consecutive rows, so pieces arrive in row order.
#include "regrove/dist/ingest_balance.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "regrove/core/check.hpp"
#include "regrove/store/table_file.hpp"

namespace regrove::dist {
namespace {

/// How many of this rank's rows go to each rank.
std::vector<std::uint64_t> rows_for_ranks(const data::TableShard& shard, int size) {
    std::vector<std::uint64_t> counts;
    for (int rank = 0; rank < size; ++rank) {
        const auto begin = std::max(store::share_begin(shard.global_rows, rank, size), shard.first_row);
        const auto end =
            std::min(store::share_begin(shard.global_rows, rank + 1, size), shard.first_row + shard.rows);
        counts.push_back(end > begin ? end - begin : 0);
    }
    return counts;
}

/// Appends cells [begin, end) of a column as bytes; texts as length and bytes each.
void pack_cells(const data::ColumnValues& values, std::uint64_t begin, std::uint64_t end, std::vector<char>& bytes) {
    const auto put = [&](const void* data, std::size_t size) {
        const auto* first = static_cast<const char*>(data);
        bytes.insert(bytes.end(), first, first + size);
    };
    std::visit(
        [&](const auto& cells) {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            if constexpr (std::is_same_v<Cell, std::string>) {
                for (std::uint64_t row = begin; row < end; ++row) {
                    const std::uint64_t length = cells[row].size();
                    put(&length, sizeof length);
                    put(cells[row].data(), length);
                }
            } else {
                put(cells.data() + begin, (end - begin) * sizeof(Cell));
            }
        },
        values);
}

/// Takes `rows` cells from the front of `bytes` and appends them to the column.
void unpack_cells(std::string_view& bytes, std::uint64_t rows, data::ColumnValues& values) {
    const auto take = [&](std::size_t size) {
        REGROVE_CHECK(size <= bytes.size());
        const std::string_view front = bytes.substr(0, size);
        bytes.remove_prefix(size);
        return front;
    };
    std::visit(
        [&](auto& cells) {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            if constexpr (std::is_same_v<Cell, std::string>) {
                for (std::uint64_t row = 0; row < rows; ++row) {
                    std::uint64_t length = 0;
                    std::memcpy(&length, take(sizeof length).data(), sizeof length);
                    cells.emplace_back(take(length));
                }
            } else {
                const std::size_t before = cells.size();
                cells.resize(before + rows);
                const std::string_view front = take(rows * sizeof(Cell));
                if (rows > 0) std::memcpy(cells.data() + before, front.data(), front.size());
            }
        },
        values);
}

/// For each other rank the rows that go there, column by column.
comm::Pieces<char> pack_rows(const data::TableShard& shard, const std::vector<std::uint64_t>& counts,
                             std::size_t own_rank) {
    comm::Pieces<char> packed;
    std::uint64_t begin = 0;
    for (std::size_t rank = 0; rank < counts.size(); begin += counts[rank++]) {
        const std::size_t before = packed.values.size();
        for (const data::ColumnValues& values : shard.values)
            if (rank != own_rank) pack_cells(values, begin, begin + counts[rank], packed.values);
        packed.counts.push_back(packed.values.size() - before);
    }
    return packed;
}

void append_cells(const data::ColumnValues& from, std::uint64_t begin, std::uint64_t end, data::ColumnValues& to) {
    std::visit(
        [&](auto& cells) {
            const auto& source = std::get<std::decay_t<decltype(cells)>>(from);
            cells.insert(cells.end(), source.begin() + static_cast<std::ptrdiff_t>(begin),
                         source.begin() + static_cast<std::ptrdiff_t>(end));
        },
        to);
}

/// How many rows come from each rank, given where each one's rows begin.
std::vector<std::uint64_t> rows_from_ranks(comm::Communicator& comm, const data::TableShard& shard, RowIndex begin,
                                           RowIndex end) {
    std::vector<std::uint64_t> counts;
    std::uint64_t first = 0;
    for (const std::uint64_t rows : comm.gather_all(shard.rows)) {
        const std::uint64_t low = std::max(first, begin);
        const std::uint64_t high = std::min(first + rows, end);
        counts.push_back(high > low ? high - low : 0);
        first += rows;
    }
    return counts;
}

}  // namespace

data::TableShard balanced(comm::Communicator& comm, data::TableShard shard) {
    const RowIndex begin = store::share_begin(shard.global_rows, comm.rank(), comm.size());
    const RowIndex end = store::share_begin(shard.global_rows, comm.rank() + 1, comm.size());
    const bool in_place = shard.first_row == begin && shard.rows == end - begin;
    if (comm.sum(std::uint64_t{in_place ? 0U : 1U}) == 0) return shard;
    const auto own_rank = static_cast<std::size_t>(comm.rank());
    const auto sources = rows_from_ranks(comm, shard, begin, end);
    const auto counts = rows_for_ranks(shard, comm.size());
    const comm::Pieces<char> received = comm.exchange(pack_rows(shard, counts, own_rank));
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; const std::uint64_t size : received.counts) {
        pieces.emplace_back(received.values.data() + at, size);
        at += size;
    }
    const std::uint64_t own_begin = std::accumulate(counts.begin(), counts.begin() + comm.rank(), std::uint64_t{0});
    for (std::size_t c = 0; c < shard.values.size(); ++c) {
        data::ColumnValues cells = data::make_values(shard.schema.columns[c].type);
        std::visit([&](auto& all) { all.reserve(end - begin); }, cells);
        for (std::size_t rank = 0; rank < sources.size(); ++rank) {
            if (rank == own_rank)
                append_cells(shard.values[c], own_begin, own_begin + counts[rank], cells);
            else
                unpack_cells(pieces[rank], sources[rank], cells);
        }
        shard.values[c] = std::move(cells);
    }
    shard.first_row = begin;
    shard.rows = end - begin;
    return shard;
}

}  // namespace regrove::dist
