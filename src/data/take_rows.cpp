// Gathers column by column.
#include "regrove/data/take_rows.hpp"

#include <type_traits>
#include <utility>

namespace regrove::data {

TableShard take_rows(const TableShard& shard, std::span<const std::uint64_t> places) {
    TableShard taken = make_shard(shard.schema);
    for (std::size_t column = 0; column < shard.values.size(); ++column) {
        taken.values[column] = std::visit(
            [&](const auto& values) -> ColumnValues {
                std::decay_t<decltype(values)> some;
                some.reserve(places.size());
                for (const auto place : places) some.push_back(values[place]);
                return some;
            },
            shard.values[column]);
    }
    taken.rows = taken.global_rows = places.size();
    taken.first_row = 0;
    return taken;
}

}  // namespace regrove::data
