// A whole table keeps where its shares began, so that writing together does not depend on how trials are dealt.
#include "regrove/dist/trial_table.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "regrove/data/take_rows.hpp"
#include "regrove/dist/replicate_table.hpp"

namespace regrove::dist {

std::uint64_t cell_bytes(const data::TableShard& shard) {
    std::uint64_t bytes = 0;
    for (const auto& column : shard.values) {
        std::visit(
            [&](const auto& cells) {
                using Cell = typename std::decay_t<decltype(cells)>::value_type;
                bytes += cells.size() * sizeof(Cell);
                if constexpr (std::is_same_v<Cell, std::string>)
                    for (const std::string& text : cells) bytes += text.size();
            },
            column);
    }
    return bytes;
}

TrialSpread resolve(TrialSpread asked, std::uint64_t bytes, std::uint64_t memory_limit_bytes) {
    if (asked != TrialSpread::automatic) return asked;
    const std::uint64_t largest = memory_limit_bytes == 0 ? k_largest_copied_table : memory_limit_bytes / 4;
    return bytes <= largest ? TrialSpread::trials : TrialSpread::rows;
}

data::TableShard replicate_roles(comm::Communicator& comm, const data::TableShard& shard) {
    data::TableShard roles;
    roles.rows = shard.rows;
    roles.first_row = shard.first_row;
    roles.global_rows = shard.global_rows;
    for (std::size_t column = 0; column < shard.values.size(); ++column) {
        const data::ColumnRole role = shard.schema.columns[column].role;
        if (role == data::ColumnRole::feature || role == data::ColumnRole::id) continue;
        roles.schema.columns.push_back(shard.schema.columns[column]);
        roles.values.push_back(shard.values[column]);
    }
    return replicate_table(comm, std::move(roles));
}

TrialTable::TrialTable(comm::Communicator& comm, data::TableShard shard, TrialSpread spread)
    : roles_(replicate_roles(comm, shard)), rank_(static_cast<std::size_t>(comm.rank())) {
    begins_ = comm.gather_all(std::uint64_t{shard.first_row});
    begins_.push_back(roles_.rows);
    shard_ = spread == TrialSpread::trials ? replicate_table(comm, std::move(shard)) : std::move(shard);
}

std::span<const std::uint64_t> TrialTable::held(std::span<const std::uint64_t> places) const {
    const auto begin = std::ranges::lower_bound(places, shard_.first_row);
    const auto end = std::ranges::lower_bound(places, shard_.first_row + shard_.rows);
    return {begin, end};
}

data::TableShard TrialTable::take(comm::Communicator& trial_comm, std::span<const std::uint64_t> places) const {
    const auto own = held(places);
    std::vector<std::uint64_t> within(own.begin(), own.end());
    for (auto& place : within) place -= shard_.first_row;
    data::TableShard taken = data::take_rows(shard_, within);
    taken.first_row = trial_comm.exclusive_sum(taken.rows);
    taken.global_rows = places.size();
    return taken;
}

std::size_t TrialTable::owner(std::uint64_t row) const {
    // The last rank that begins at or before the row: ranks without rows begin where the next one does.
    return static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end() - 1, row) - begins_.begin()) - 1;
}

}  // namespace regrove::dist
