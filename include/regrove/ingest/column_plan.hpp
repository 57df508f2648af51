// From column names, options and a schema file to one rule for each input column.
#pragma once

#include <string>
#include <vector>

#include "regrove/ingest/column_rule.hpp"
#include "regrove/ingest/text_layout.hpp"
#include "regrove/ingest/text_options.hpp"

namespace regrove::ingest {

/// Pure but for reading the schema file. Throws InputError when two columns have the same name, ConfigError when an
/// option names a column that is not there (with the nearest name) or gives two roles to one.
std::vector<ColumnRule> plan_columns(const TextLayout& layout, const TextOptions& options);

}  // namespace regrove::ingest
