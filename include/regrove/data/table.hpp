// A rank's rows of a table, column by column, in memory.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "regrove/core/ids.hpp"
#include "regrove/data/schema.hpp"

namespace regrove::data {

/// The cells of one column. int32 holds both int32 columns and category codes; the schema says which.
using ColumnValues = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                                  std::vector<std::int64_t>, std::vector<std::string>>;

/// An empty vector of the alternative that belongs to `type`.
ColumnValues make_values(ColumnType type);
std::size_t row_count(const ColumnValues& values);
/// Whether the cell at `row` of a column of `type` is missing (-1 is a value in an int32 column, none in a
/// category's).
bool is_missing(ColumnType type, const ColumnValues& values, std::size_t row);
/// The cell as a double (NaN when missing; a category's code); text columns: NaN. int64 values beyond 2^53 are
/// rounded.
double as_double(ColumnType type, const ColumnValues& values, std::size_t row);
/// The cell as text (a category's name, the shortest exact number), empty when missing.
std::string cell_text(const ColumnSchema& column, const ColumnValues& values, std::size_t row);

/// Consecutive rows of a table: rows [first_row, first_row + rows) of `global_rows` over all ranks.
/// Ranks hold the rows in rank order; a rank may hold none.
struct TableShard {
    Schema schema;
    std::vector<ColumnValues> values;  ///< one per schema column, each of `rows` cells
    std::uint64_t rows = 0;
    RowIndex first_row = 0;
    std::uint64_t global_rows = 0;
};

/// An empty shard with columns for `schema`.
TableShard make_shard(const Schema& schema);
/// Appends the rows of `chunk` (same schema); first_row and global_rows stay as they are.
void append(TableShard& shard, const TableShard& chunk);
/// Rows [begin, end) of the shard as a shard of its own, with first_row moved along.
TableShard slice(const TableShard& shard, std::size_t begin, std::size_t end);

}  // namespace regrove::data
