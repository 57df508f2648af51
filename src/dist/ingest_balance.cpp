// One exchange a column; ranks hold consecutive rows, so pieces arrive in row order.
#include "regrove/dist/ingest_balance.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "regrove/comm/agreement.hpp"
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

std::vector<std::string> exchange_texts(comm::Communicator& comm, const std::vector<std::string>& texts,
                                        const std::vector<std::uint64_t>& counts) {
    comm::Pieces<std::uint64_t> lengths{{}, counts};
    comm::Pieces<char> bytes{{}, {}};
    std::size_t next = 0;
    for (const std::uint64_t count : counts) {
        std::uint64_t total = 0;
        for (std::uint64_t i = 0; i < count; ++i, ++next) {
            lengths.values.push_back(texts[next].size());
            bytes.values.insert(bytes.values.end(), texts[next].begin(), texts[next].end());
            total += texts[next].size();
        }
        bytes.counts.push_back(total);
    }
    const auto received_lengths = comm.exchange(lengths);
    const auto received = comm.exchange(bytes);
    std::vector<std::string> out;
    std::size_t at = 0;
    for (const std::uint64_t length : received_lengths.values) {
        out.emplace_back(received.values.data() + at, length);
        at += length;
    }
    return out;
}

}  // namespace

data::TableShard balanced(comm::Communicator& comm, data::TableShard shard) {
    const RowIndex begin = store::share_begin(shard.global_rows, comm.rank(), comm.size());
    const RowIndex end = store::share_begin(shard.global_rows, comm.rank() + 1, comm.size());
    const bool in_place = shard.first_row == begin && shard.rows == end - begin;
    if (comm.sum(std::uint64_t{in_place ? 0U : 1U}) == 0) return shard;
    const auto counts = rows_for_ranks(shard, comm.size());
    for (data::ColumnValues& values : shard.values) {
        std::visit(
            [&](auto& cells) {
                using Cell = typename std::decay_t<decltype(cells)>::value_type;
                if constexpr (std::is_same_v<Cell, std::string>)
                    cells = exchange_texts(comm, cells, counts);
                else
                    cells = comm.exchange(comm::Pieces<Cell>{std::move(cells), counts}).values;
            },
            values);
    }
    shard.first_row = begin;
    shard.rows = end - begin;
    return shard;
}

}  // namespace regrove::dist
