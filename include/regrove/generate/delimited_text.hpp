// A generated table as delimited text: a header line, then rows with the shortest exact number text, missing cells
// empty.
#pragma once

#include <string>

#include "regrove/data/table.hpp"

namespace regrove::generate {

/// The column names, with a line end. Names with the delimiter, quotes or line ends are quoted (RFC 4180).
std::string delimited_header(const data::Schema& schema, char delimiter);

/// All rows of the shard, made by all threads; the text is the same for any number of threads.
std::string delimited_rows(const data::TableShard& shard, char delimiter);

}  // namespace regrove::generate
