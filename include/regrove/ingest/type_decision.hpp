// From a column's merged summary to its type, or to the refusal that says what to do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "regrove/core/error.hpp"
#include "regrove/data/schema.hpp"
#include "regrove/ingest/cell_summary.hpp"
#include "regrove/ingest/column_rule.hpp"

namespace regrove::ingest {

/// Turns a place into file:line:column for messages.
using NamePlace = std::function<TextPosition(const CellPlace&)>;

/// The type by rule and cells (docs/ingest.md). Pure. Throws InputError for numbers that overflow or lose digits,
/// infinite cells, and texts that look like numbers with the other decimal mark.
data::ColumnType decide_type(const ColumnRule& rule, const CellSummary& summary, const NamePlace& name_place);

/// What is suspicious or wrong about a finished column.
struct ColumnFacts {
    std::uint64_t rows = 0;
    std::uint64_t levels = 0;  ///< of a category column
};

/// Throws InputError when a feature's or label's levels are as many as the rows, or the label has one value.
void refuse_useless(const ColumnRule& rule, data::ColumnType type, const CellSummary& summary,
                    const ColumnFacts& facts);

/// A warning for a constant or id-like column, or for one that was read with another decimal mark; nullopt if fine.
std::optional<std::string> warn_of(const ColumnRule& rule, data::ColumnType type, const CellSummary& summary,
                                   const ColumnFacts& facts);

}  // namespace regrove::ingest
