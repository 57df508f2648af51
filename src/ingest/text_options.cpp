// The field table of TextOptions.
#include "regrove/ingest/text_options.hpp"

#include "regrove/core/option_table.hpp"

namespace regrove::ingest {

void list_options(TextOptions& options, OptionTable& table) {
    table.add("target", options.target, "the label column, by name or zero-based index").value_name("COL");
    table.add("weight", options.weight, "column of row weights, numbers of at least 0").value_name("COL");
    table.add("group", options.group, "column that says which rows belong together").value_name("COL");
    table.add("fold", options.fold, "column of fold numbers for cross-validation").value_name("COL");
    table.add("id", options.id, "columns that name rows: kept as text, no features").value_name("COLS");
    table.add("ignore", options.ignore, "columns to leave out").value_name("COLS");
    table.add("categorical", options.categorical, "columns of categories, whatever they look like")
        .value_name("COLS");
    table.add("delimiter", options.delimiter, "between fields: auto , ; | tab space")
        .value_name("auto|,|;|tab|space||");
    table.add("header", options.header, "whether the first record names the columns");
    table.add("names", options.names, "names of all columns, or a file with one a line").value_name("NAMES");
    table.add("skip_lines", options.skip_lines, 0, 1000000, "lines to skip at the beginning of each file");
    table.add("decimal", options.decimal_mark, Choices<char>{{"point", '.'}, {"comma", ','}},
              "decimal mark of numbers");
    table.add("quote", options.quote,
              Choices<QuoteOption>{{"double", QuoteOption::double_quote},
                                   {"single", QuoteOption::single_quote},
                                   {"none", QuoteOption::none}},
              "quotes around fields");
    table.add("escape", options.escape, "character that escapes the next inside quotes, such as \\")
        .value_name("CHAR");
    table.add("comment", options.comment, "records that begin with this are skipped, such as #").value_name("TEXT");
    table.add("missing", options.missing, "texts of missing cells; the empty cell is always one").value_name("TEXTS");
    table.add("label_map", options.label_map, "label texts by class: a=0,b=1, or a,b in class order")
        .value_name("MAP");
    table.add("schema", options.schema, "schema file (TOML) with names, types and roles").value_name("FILE");
    table.add("bad_rows", options.bad_rows,
              Choices<BadRowPolicy>{{"fail", BadRowPolicy::fail}, {"skip", BadRowPolicy::skip}},
              "stop at a bad row, or skip, count and copy it");
}

}  // namespace regrove::ingest
