// Appending, taking and spreading of rows.
#include "regrove/data/sparse_cells.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/core/error.hpp"
#include "regrove/core/parallel.hpp"
#include "regrove/data/take_rows.hpp"

namespace regrove::data {

namespace {

constexpr std::size_t k_rows_a_block = 1024;

ColumnValues absent_column(ColumnType type, std::size_t rows, double absent) {
    if (type == ColumnType::float32) return std::vector<float>(rows, static_cast<float>(absent));
    return std::vector<double>(rows, absent);
}

void set_cell(ColumnValues& column, std::size_t row, double value) {
    if (auto* narrow = std::get_if<std::vector<float>>(&column)) {
        (*narrow)[row] = static_cast<float>(value);
    } else {
        std::get<std::vector<double>>(column)[row] = value;
    }
}

/// Calls visit(place among `features`, cell) for a row's cells of these features, ascending.
template <class Visit>
void each_chosen(const SparseCells& cells, std::size_t row, std::span<const std::uint32_t> features, Visit visit) {
    auto from = features.begin();
    for (std::uint64_t cell = cells.row_begins[row]; cell < cells.row_begins[row + 1]; ++cell) {
        from = std::lower_bound(from, features.end(), cells.features[cell]);
        if (from == features.end()) return;
        if (*from == cells.features[cell]) visit(static_cast<std::size_t>(from - features.begin()), cell);
    }
}

}  // namespace

void SparseCells::add(std::uint32_t feature, double value) {
    REGROVE_CHECK(feature < columns.size());
    if (std::isnan(value) ? absent_is_missing : (value == 0 && !absent_is_missing)) return;
    if (columns[feature].type == ColumnType::float32) value = static_cast<float>(value);
    features.push_back(feature);
    if (is_wide) {
        wide.push_back(value);
    } else {
        narrow.push_back(static_cast<float>(value));
    }
}

void SparseCells::clear_rows() {
    row_begins = {0};
    features.clear();
    narrow.clear();
    wide.clear();
}

SparseCells make_sparse_cells(std::vector<ColumnSchema> columns, bool absent_is_missing) {
    SparseCells cells;
    cells.is_wide = std::ranges::any_of(columns, [](const auto& c) { return c.type == ColumnType::float64; });
    cells.columns = std::move(columns);
    cells.absent_is_missing = absent_is_missing;
    return cells;
}

void append(SparseCells& cells, const SparseCells& more) {
    REGROVE_CHECK(cells.columns.size() == more.columns.size() && cells.is_wide == more.is_wide);
    const std::uint64_t before = cells.size();
    for (std::size_t row = 0; row < more.rows(); ++row) cells.row_begins.push_back(before + more.row_begins[row + 1]);
    cells.features.insert(cells.features.end(), more.features.begin(), more.features.end());
    cells.narrow.insert(cells.narrow.end(), more.narrow.begin(), more.narrow.end());
    cells.wide.insert(cells.wide.end(), more.wide.begin(), more.wide.end());
}

SparseCells take_rows(const SparseCells& cells, std::span<const std::uint64_t> places) {
    SparseCells taken = make_sparse_cells(cells.columns, cells.absent_is_missing);
    for (const auto place : places) {
        const auto begin = static_cast<std::ptrdiff_t>(cells.row_begins[place]);
        const auto end = static_cast<std::ptrdiff_t>(cells.row_begins[place + 1]);
        const auto copy = [&](const auto& from, auto& to) {
            if (!from.empty()) to.insert(to.end(), from.begin() + begin, from.begin() + end);
        };
        copy(cells.features, taken.features);
        copy(cells.narrow, taken.narrow);
        copy(cells.wide, taken.wide);
        taken.end_row();
    }
    return taken;
}

SparseTable take_rows(const SparseTable& table, std::span<const std::uint64_t> places) {
    return {take_rows(table.rows, places), take_rows(table.cells, places)};
}

SparseTable make_sparse(TableShard shard) {
    SparseTable table;
    table.rows.rows = shard.rows;
    table.rows.first_row = shard.first_row;
    table.rows.global_rows = shard.global_rows;
    std::vector<ColumnSchema> columns;
    std::vector<std::size_t> features;
    for (std::size_t c = 0; c < shard.values.size(); ++c) {
        ColumnSchema& column = shard.schema.columns[c];
        if (column.role != ColumnRole::feature) {
            table.rows.schema.columns.push_back(column);
            table.rows.values.push_back(std::move(shard.values[c]));
            continue;
        }
        if (!is_numeric(column.type))
            throw InputError("column '" + column.name + "' holds no numbers, and the table it goes with is sparse");
        columns.push_back({column.name,
                           column.type == ColumnType::float32 ? column.type : ColumnType::float64,
                           ColumnRole::feature,
                           {}});
        features.push_back(c);
    }
    table.cells = make_sparse_cells(std::move(columns), false);
    for (std::size_t row = 0; row < shard.rows; ++row) {
        for (std::uint32_t f = 0; f < features.size(); ++f)
            table.cells.add(f, as_double(shard.schema.columns[features[f]].type, shard.values[features[f]], row));
        table.cells.end_row();
    }
    return table;
}

TableShard dense_part(const TableShard& rows, const SparseCells& cells, std::span<const std::uint32_t> features,
                      std::size_t begin, std::size_t end) {
    TableShard part = slice(rows, begin, end);
    const std::size_t first = part.values.size();
    for (const auto f : features) {
        part.schema.columns.push_back(cells.columns[f]);
        part.values.push_back(absent_column(cells.columns[f].type, end - begin, cells.absent_value()));
    }
    parallel_for_blocks(end - begin, k_rows_a_block, [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row) {
            each_chosen(cells, begin + row, features, [&](std::size_t place, std::uint64_t cell) {
                set_cell(part.values[first + place], row, cells.value(cell));
            });
        }
    });
    return part;
}

}  // namespace regrove::data
