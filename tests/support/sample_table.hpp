// A table with a column of every type, missing cells included, whose rows are a function of their number.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "regrove/core/random.hpp"
#include "regrove/data/table.hpp"

namespace regrove::test {

inline data::Schema sample_schema() {
    using data::ColumnRole;
    using data::ColumnType;
    return {{{"price/kg \"x\"", ColumnType::float32, ColumnRole::feature, {}},
             {"height", ColumnType::float64, ColumnRole::feature, {}},
             {"count", ColumnType::int32, ColumnRole::feature, {}},
             {"time", ColumnType::int64, ColumnRole::group, {}},
             {"colour", ColumnType::category, ColumnRole::feature, {"rot", "grün", "gelb", "blau"}},
             {"name", ColumnType::text, ColumnRole::id, {}},
             {"sick", ColumnType::category, ColumnRole::label, {"No", "Yes"}}}};
}

/// Rows [begin, end) of the sample table of `global_rows` rows.
inline data::TableShard sample_rows(std::uint64_t begin, std::uint64_t end, std::uint64_t global_rows) {
    const CounterRandom random(11, 5);
    data::TableShard shard = data::make_shard(sample_schema());
    shard.first_row = begin;
    shard.rows = end - begin;
    shard.global_rows = global_rows;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::uint64_t row = begin; row < end; ++row) {
        const bool missing = random.below(7 * row, 10) == 0;
        const std::uint64_t bits = random.bits(7 * row + 1);
        const double x = random.uniform(7 * row + 2) * 100 - 50;
        auto& v = shard.values;
        std::get<std::vector<float>>(v[0]).push_back(missing ? std::nanf("") : static_cast<float>(x));
        std::get<std::vector<double>>(v[1]).push_back(row % 7 == 3 ? nan : x);
        std::get<std::vector<std::int32_t>>(v[2]).push_back(missing ? data::k_missing_int32
                                                                    : static_cast<std::int32_t>(bits % 1000) - 500);
        std::get<std::vector<std::int64_t>>(v[3]).push_back(row % 5 == 4 ? data::k_missing_int64
                                                                         : static_cast<std::int64_t>(bits >> 1U));
        std::get<std::vector<std::int32_t>>(v[4]).push_back(static_cast<std::int32_t>(bits % 5) - 1);
        std::get<std::vector<std::string>>(v[5]).push_back(missing ? "" : "Zeile " + std::to_string(bits % 100000));
        std::get<std::vector<std::int32_t>>(v[6]).push_back(static_cast<std::int32_t>(bits % 2));
    }
    return shard;
}

/// Whether both hold the same cells bit for bit (NaNs of any bits count as equal), the same schema and rows.
inline bool same_cells(const data::TableShard& a, const data::TableShard& b) {
    if (a.schema != b.schema || a.rows != b.rows || a.first_row != b.first_row) return false;
    for (std::size_t c = 0; c < a.values.size(); ++c) {
        const bool same = std::visit(
            [&](const auto& x) {
                using Cells = std::decay_t<decltype(x)>;
                const auto* y = std::get_if<Cells>(&b.values[c]);
                if (y == nullptr || x.size() != y->size()) return false;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    if constexpr (std::is_floating_point_v<typename Cells::value_type>) {
                        if (std::isnan(x[i]) && std::isnan((*y)[i])) continue;
                        if (std::signbit(x[i]) != std::signbit((*y)[i])) return false;
                    }
                    if (x[i] != (*y)[i]) return false;
                }
                return true;
            },
            a.values[c]);
        if (!same) return false;
    }
    return true;
}

}  // namespace regrove::test
