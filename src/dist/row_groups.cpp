// A group is a run of rows with one value in the group column.
#include "regrove/dist/row_groups.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "regrove/comm/agreement.hpp"
#include "regrove/core/error.hpp"
#include "regrove/dist/replicate_table.hpp"

namespace regrove::dist {

namespace {

std::string group_at(const data::TableShard& shard, std::size_t column, std::size_t row) {
    return data::cell_text(shard.schema.columns[column], shard.values[column], row);
}

std::size_t group_column(const data::TableShard& shard) {
    const auto column = shard.schema.find(data::ColumnRole::group);
    if (!column) throw InputError("ranking needs a group column; name it with --group when the table is read");
    return *column;
}

}  // namespace

std::vector<std::uint64_t> find_groups(const data::TableShard& shard) {
    const std::size_t column = group_column(shard);
    std::vector<std::uint64_t> begins;
    std::set<std::string> seen;
    std::string last;
    for (std::size_t row = 0; row < shard.rows; ++row) {
        std::string group = group_at(shard, column, row);
        if (row != 0 && group == last) continue;
        if (!seen.insert(group).second) {
            throw InputError("group '" + group + "' begins again at row " +
                             std::to_string(shard.first_row + row + 1) + "; the rows of a group must stand together");
        }
        begins.push_back(row);
        last = std::move(group);
    }
    begins.push_back(shard.rows);
    return begins;
}

data::TableShard keep_groups_whole(comm::Communicator& comm, data::TableShard shard) {
    data::TableShard all = replicate_table(comm, std::move(shard));
    return comm::agree_on(comm, [&] {
        const auto begins = find_groups(all);
        const auto cut = [&](int rank) {
            const std::uint64_t wanted =
                all.rows * static_cast<std::uint64_t>(rank) / static_cast<std::uint64_t>(comm.size());
            return *std::lower_bound(begins.begin(), begins.end(), wanted);
        };
        data::TableShard own = data::slice(all, cut(comm.rank()), cut(comm.rank() + 1));
        own.global_rows = all.rows;
        return own;
    });
}

}  // namespace regrove::dist
