// How a delimited text is written: its delimiter, quote, escape, comment and decimal mark.
//
// Glossary of delimited text:
//   line      bytes up to LF, CRLF or a CR alone
//   record    one row: a line, or several when a quoted field holds line ends
//   field     the text of one cell, without quotes and surrounding blanks
//   body      a file's records behind its byte order mark, skipped lines and header
//   piece     consecutive whole records that one thread parses
#pragma once

#include <string>

namespace regrove::ingest {

struct Dialect {
    char delimiter = ',';     ///< ' ' stands for runs of spaces and tabs
    char quote = '"';         ///< '\0': none
    char escape = '\0';       ///< takes the next character literally inside quotes; '\0': none, quotes are doubled
    char decimal_mark = '.';  ///< '.' or ','
    std::string comment;      ///< a record that begins with this is skipped; empty: none

    bool blank_runs() const { return delimiter == ' '; }
    bool is_blank(char c) const { return (c == ' ' || c == '\t') && c != delimiter; }
};

}  // namespace regrove::ingest
