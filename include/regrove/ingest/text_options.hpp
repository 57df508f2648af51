// The options of reading delimited text, and their field table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "regrove/data/schema.hpp"
#include "regrove/ingest/missing_markers.hpp"

namespace regrove {
class OptionTable;
}

namespace regrove::ingest {

enum class BadRowPolicy : std::uint8_t { fail, skip };
enum class QuoteOption : std::uint8_t { double_quote, single_quote, none };

struct TextOptions {
    std::string target;  ///< columns are given by name or zero-based index
    std::string weight;
    std::string group;
    std::string fold;
    std::vector<std::string> id;
    std::vector<std::string> ignore;
    std::vector<std::string> categorical;
    std::string delimiter = "auto";
    std::optional<bool> header;
    std::vector<std::string> names;
    std::uint64_t skip_lines = 0;
    char decimal_mark = '.';
    QuoteOption quote = QuoteOption::double_quote;
    std::string escape;
    std::string comment;
    std::vector<std::string> missing = default_missing_markers();
    std::vector<std::string> label_map;
    std::string schema;  ///< path of a schema file
    BadRowPolicy bad_rows = BadRowPolicy::fail;

    /// Not an option of the command line: whether degenerate tables are refused (one class, a text column with as
    /// many levels as rows). Off where a table is only predicted or evaluated.
    bool refuse_useless = true;
    /// Not an option of the command line: columns that another table has; those of the same name are read alike.
    data::Schema expected;
};

/// Names every option but the last two.
void list_options(TextOptions& options, OptionTable& table);

}  // namespace regrove::ingest
