// A rank's rows of features that are mostly absent, row by row, in memory.
//
// Glossary:
//   absent    a cell that is not stored: zero, or missing where `absent_is_missing`
//   present   a cell that is stored; a cell equal to the absent one never is
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "regrove/core/hash.hpp"
#include "regrove/data/table.hpp"

namespace regrove::data {

/// Compressed rows: the cells [row_begins[i], row_begins[i + 1]) belong to row i.
struct SparseCells {
    std::vector<ColumnSchema> columns;  ///< float32 and float64 features, in table order
    bool absent_is_missing = false;
    bool is_wide = false;  ///< values are in `wide`: some column is float64
    std::vector<std::uint64_t> row_begins = {0};
    std::vector<std::uint32_t> features;  ///< of each cell, ascending within a row
    /// Each cell's value, NaN when missing, rounded to its column's type: in one of the two.
    std::vector<float> narrow;
    std::vector<double> wide;

    std::size_t rows() const { return row_begins.size() - 1; }
    std::uint64_t size() const { return features.size(); }
    double value(std::size_t cell) const { return is_wide ? wide[cell] : double{narrow[cell]}; }
    double absent_value() const { return absent_is_missing ? std::numeric_limits<double>::quiet_NaN() : 0; }
    /// Appends a cell to the row that is being made, rounding it to its column's type; nothing when it is the absent one.
    void add(std::uint32_t feature, double value);
    void end_row() { row_begins.push_back(features.size()); }
    void clear_rows();
    std::uint64_t bytes() const {
        return row_begins.size() * sizeof(std::uint64_t) + features.size() * sizeof(std::uint32_t) +
               narrow.size() * sizeof(float) + wide.size() * sizeof(double);
    }
};

/// A rank's rows of a table whose features are sparse: `rows` holds all other columns.
struct SparseTable {
    TableShard rows;
    SparseCells cells;
};

/// No rows, columns of these.
SparseCells make_sparse_cells(std::vector<ColumnSchema> columns, bool absent_is_missing);
/// Appends the rows of `more`, of the same columns.
void append(SparseCells& cells, const SparseCells& more);
/// The rows at these places, in their order.
SparseCells take_rows(const SparseCells& cells, std::span<const std::uint64_t> places);
SparseTable take_rows(const SparseTable& table, std::span<const std::uint64_t> places);

/// The numeric features as sparse cells, zeros absent; integers become float64. Throws InputError on features of categories
/// or text.
SparseTable make_sparse(TableShard shard);

/// Rows [begin, end) as a dense shard: the table's other columns, and the features of these numbers (ascending) behind them.
TableShard dense_part(const TableShard& rows, const SparseCells& cells, std::span<const std::uint32_t> features,
                      std::size_t begin, std::size_t end);

/// A part of the content hash of the dense table (data/content_hash.hpp): that of this rank's feature cells, which stand in
/// the table's columns from `first_column` on. Time O(rows * features).
Hash128 content_hash(const SparseCells& cells, RowIndex first_row, std::uint64_t first_column);
/// The same, of the present cells only.
Hash128 present_hash(const SparseCells& cells, RowIndex first_row, std::uint64_t first_column);

}  // namespace regrove::data
