// Cells of typed columns, and cutting and joining shards.
#include "regrove/data/table.hpp"

#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>

#include "regrove/core/check.hpp"
#include "regrove/core/number_text.hpp"

namespace regrove::data {

namespace {

constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();

template <class Cell>
bool is_missing_cell(ColumnType type, const Cell& cell) {
    if constexpr (std::is_floating_point_v<Cell>) return std::isnan(cell);
    if constexpr (std::is_same_v<Cell, std::int64_t>) return cell == k_missing_int64;
    if constexpr (std::is_same_v<Cell, std::string>) return cell.empty();
    if constexpr (std::is_same_v<Cell, std::int32_t>)
        return type == ColumnType::category ? cell == k_missing_category : cell == k_missing_int32;
}

template <class Cell>
std::string number_text(const Cell& cell) {
    if constexpr (std::is_integral_v<Cell>) return regrove::to_text(static_cast<std::int64_t>(cell));
    if constexpr (std::is_floating_point_v<Cell>) return regrove::to_text(cell);
    if constexpr (std::is_same_v<Cell, std::string>) return cell;
}

}  // namespace

ColumnValues make_values(ColumnType type) {
    switch (type) {
        case ColumnType::float32:
            return std::vector<float>{};
        case ColumnType::float64:
            return std::vector<double>{};
        case ColumnType::int32:
        case ColumnType::category:
            return std::vector<std::int32_t>{};
        case ColumnType::int64:
            return std::vector<std::int64_t>{};
        case ColumnType::text:
            return std::vector<std::string>{};
    }
    fail_check("known column type", __FILE__, __LINE__);
}

std::size_t row_count(const ColumnValues& values) {
    return std::visit([](const auto& cells) { return cells.size(); }, values);
}

bool is_missing(ColumnType type, const ColumnValues& values, std::size_t row) {
    return std::visit([&](const auto& cells) { return is_missing_cell(type, cells[row]); }, values);
}

double as_double(ColumnType type, const ColumnValues& values, std::size_t row) {
    return std::visit(
        [&](const auto& cells) -> double {
            using Cell = typename std::decay_t<decltype(cells)>::value_type;
            if constexpr (std::is_same_v<Cell, std::string>)
                return k_nan;
            else
                return is_missing_cell<Cell>(type, cells[row]) ? k_nan : static_cast<double>(cells[row]);
        },
        values);
}

std::string cell_text(const ColumnSchema& column, const ColumnValues& values, std::size_t row) {
    if (is_missing(column.type, values, row)) return {};
    if (column.type == ColumnType::category) {
        const auto code = static_cast<std::size_t>(std::get<std::vector<std::int32_t>>(values)[row]);
        REGROVE_CHECK(code < column.categories.size());
        return column.categories[code];
    }
    return std::visit([&](const auto& cells) { return number_text(cells[row]); }, values);
}

TableShard make_shard(const Schema& schema) {
    TableShard shard;
    shard.schema = schema;
    for (const ColumnSchema& column : schema.columns) shard.values.push_back(make_values(column.type));
    return shard;
}

void append(TableShard& shard, const TableShard& chunk) {
    REGROVE_CHECK(shard.values.size() == chunk.values.size());
    for (std::size_t c = 0; c < shard.values.size(); ++c) {
        REGROVE_CHECK(shard.values[c].index() == chunk.values[c].index());
        std::visit(
            [&](auto& cells) {
                const auto& more = std::get<std::decay_t<decltype(cells)>>(chunk.values[c]);
                cells.insert(cells.end(), more.begin(), more.end());
            },
            shard.values[c]);
    }
    shard.rows += chunk.rows;
}

TableShard slice(const TableShard& shard, std::size_t begin, std::size_t end) {
    REGROVE_CHECK(begin <= end && end <= shard.rows);
    TableShard part;
    part.schema = shard.schema;
    part.rows = end - begin;
    part.first_row = shard.first_row + begin;
    part.global_rows = shard.global_rows;
    for (const ColumnValues& values : shard.values)
        part.values.push_back(std::visit(
            [&](const auto& cells) -> ColumnValues {
                using Cells = std::decay_t<decltype(cells)>;
                return Cells(std::next(cells.begin(), static_cast<std::ptrdiff_t>(begin)),
                             std::next(cells.begin(), static_cast<std::ptrdiff_t>(end)));
            },
            values));
    return part;
}

}  // namespace regrove::data
