// A table of random rows for the ensembles of score_ensemble.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "regrove/core/random.hpp"
#include "regrove/data/table.hpp"

#include "support/score_ensemble.hpp"

namespace regrove::test {

/// Rows of a table whose cells are those of all_cells(), dealt out at random.
inline data::TableShard score_table(std::size_t rows, std::uint64_t seed) {
    const auto cells = test::all_cells();
    const CounterRandom random(seed, 79);
    data::TableShard shard;
    using data::ColumnRole;
    using data::ColumnType;
    shard.schema.columns = {{"a", ColumnType::float64, ColumnRole::feature, {}},
                            {"b", ColumnType::float32, ColumnRole::feature, {}},
                            {"c", ColumnType::category, ColumnRole::feature, {"p", "q", "r", "s", "new"}},
                            {"d", ColumnType::category, ColumnRole::feature, {"x", "y", "z", "new"}}};
    std::vector<double> a;
    std::vector<float> b;
    std::vector<std::int32_t> c;
    std::vector<std::int32_t> d;
    const auto code = [](double cell, std::int32_t unknown) {
        return std::isnan(cell) ? -1 : cell < 0 ? unknown : static_cast<std::int32_t>(cell);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        const auto& drawn = cells[random.below(row, cells.size())];
        a.push_back(drawn[0]);
        b.push_back(static_cast<float>(drawn[1]));
        c.push_back(code(drawn[2], 4));
        d.push_back(code(drawn[3], 3));
    }
    shard.values = {a, b, c, d};
    shard.rows = shard.global_rows = rows;
    return shard;
}

}  // namespace regrove::test
