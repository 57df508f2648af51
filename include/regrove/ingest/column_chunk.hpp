// One piece's cells of one column in the narrowest form that keeps them, with their summary.
#pragma once

#include <string>
#include <vector>

#include "regrove/data/table.hpp"
#include "regrove/ingest/category_dictionary.hpp"
#include "regrove/ingest/cell_summary.hpp"
#include "regrove/ingest/column_rule.hpp"
#include "regrove/ingest/missing_markers.hpp"
#include "regrove/ingest/number_cell.hpp"
#include "regrove/ingest/piece_fields.hpp"

namespace regrove::ingest {

enum class ChunkKind : std::uint8_t {
    missing,  ///< no cell has a value; fits any type
    numbers,  ///< int32, int64, float32 or float64
    codes,    ///< int32 codes into `names`
    texts,
};

struct ColumnChunk {
    ChunkKind kind = ChunkKind::missing;
    data::ColumnValues values;
    std::vector<std::string> names;  ///< of codes, in the order in which they were met
    CellSummary summary;
};

/// How cells are read.
struct CellReading {
    const MissingMarkers& missing;
    char decimal_mark = '.';
};

/// Reads column `column` of a piece. With CellMode::infer a column of numbers gives numbers and any text makes it
/// codes.
ColumnChunk read_column(const PieceFields& fields, std::size_t column, CellMode mode, const CellReading& reading);

/// Whether the chunk's cells can be appended to a column of this type; if not, the piece must be read again.
bool fits(const ColumnChunk& chunk, data::ColumnType type);

/// Appends the chunk's cells to `out`, the values of a column of type `type`. For categories `code_of` translates the
/// chunk's codes. Float cells of integer columns do not occur.
void append_cells(data::ColumnValues& out, data::ColumnType type, const ColumnChunk& chunk,
                  const std::vector<data::CategoryCode>& code_of);

/// Bytes that the chunk holds.
std::uint64_t memory_bytes(const ColumnChunk& chunk);

}  // namespace regrove::ingest
