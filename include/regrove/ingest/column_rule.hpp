// How the cells of one input column are to be read: what options, roles and a schema file have fixed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "regrove/data/schema.hpp"

namespace regrove::ingest {

enum class CellMode : std::uint8_t {
    skip,      ///< not in the table
    infer,     ///< a number as long as all cells are
    number,    ///< a number, also 007; the row check has made sure
    category,  ///< texts, numbered by a dictionary
    text,      ///< texts as they are, for ids
};

struct ColumnRule {
    std::string name;
    data::ColumnRole role = data::ColumnRole::feature;
    CellMode mode = CellMode::infer;
    /// From a schema file: the type that the column gets, whatever its cells look like.
    std::optional<data::ColumnType> type;
    /// The dictionary when it is given (schema file, label map); a cell that is not in it does not fit.
    std::vector<std::string> levels;
    /// Other texts that stand for a level (label map): text to level.
    std::map<std::string, std::string, std::less<>> synonyms;
    /// The user asked for a category, so its cells are not suspected to be misread numbers.
    bool wanted_category = false;

    bool may_be_missing() const { return role == data::ColumnRole::feature || role == data::ColumnRole::id; }
    bool needs_check() const { return mode != CellMode::skip && (!may_be_missing() || type || !levels.empty()); }
};

}  // namespace regrove::ingest
