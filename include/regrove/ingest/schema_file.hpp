// Reads a schema file: TOML that fixes names, types, roles and categories of columns.
//
//     [[column]]
//     name = "age"            # or index = 0
//     type = "int32"          # float32 float64 int32 int64 category text; left out: inferred
//     role = "feature"        # feature label weight group fold id ignore; left out: feature, or as the options say
//     categories = ["no", "yes"]   # the dictionary in code order; type category is then implied
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regrove/data/schema.hpp"

namespace regrove::ingest {

struct SchemaFileColumn {
    std::string name;  ///< or empty, then `index` is given
    std::optional<std::size_t> index;
    std::optional<data::ColumnType> type;
    std::optional<data::ColumnRole> role;
    bool ignore = false;
    std::vector<std::string> categories;
};

/// Throws IoError, or ConfigError with line and column of what is wrong.
std::vector<SchemaFileColumn> read_schema_file(const std::string& path);

}  // namespace regrove::ingest
