// One megabyte of each file is enough to see its dialect and header; the rest is read by the ranks later.
#include "regrove/ingest/text_layout.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "regrove/core/error.hpp"
#include "regrove/ingest/dialect_detection.hpp"
#include "regrove/ingest/excerpt.hpp"
#include "regrove/ingest/line_blocks.hpp"
#include "regrove/ingest/record_walk.hpp"
#include "regrove/ingest/text_check.hpp"

namespace regrove::ingest {
namespace {

constexpr std::size_t k_head_bytes = std::size_t{1} << 20U;
constexpr std::size_t k_header_records = 500;

char delimiter_of(const std::string& text) {
    if (text == "tab" || text == "\\t") return '\t';
    if (text == "space") return ' ';
    if (text.size() == 1 && std::string_view(",;|\t :").find(text[0]) != std::string_view::npos) return text[0];
    throw ConfigError("delimiter: " + excerpt(text) + " is none of auto , ; | tab space");
}

Dialect fixed_dialect(const TextOptions& options) {
    Dialect dialect;
    dialect.decimal_mark = options.decimal_mark;
    dialect.comment = options.comment;
    if (options.quote == QuoteOption::single_quote) dialect.quote = '\'';
    if (options.quote == QuoteOption::none) dialect.quote = '\0';
    if (options.escape.size() > 1) throw ConfigError("escape: " + excerpt(options.escape) + " is not one character");
    if (!options.escape.empty()) dialect.escape = options.escape[0];
    return dialect;
}

/// The beginning of a file behind byte order mark and skipped lines.
struct Head {
    std::string text;
    bool complete = false;  ///< the whole file is here
    std::uint64_t begin = 0;
    std::uint64_t first_line = 1;
};

Head read_head(const std::string& path, std::uint64_t skip_lines) {
    LineBlocks blocks(open_bytes(path), k_head_bytes);
    std::string_view text = blocks.fill();
    check_byte_order_mark(text, path);
    const std::size_t mark = byte_order_mark_bytes(text);
    check_text(text, path, 1);
    Head head;
    head.begin = mark;
    text.remove_prefix(mark);
    const Dialect plain;
    const FieldEnds ends(plain);
    for (std::uint64_t line = 0; line < skip_lines && !text.empty(); ++line) {
        const std::size_t line_end = std::min(text.find_first_of("\r\n"), text.size());
        const RecordWalk walk(plain, ends, text.data() + text.size());
        const auto bytes = static_cast<std::size_t>(walk.behind_line_end(text.data() + line_end) - text.data());
        text.remove_prefix(bytes);
        head.begin += bytes;
        ++head.first_line;
    }
    head.text = text;
    head.complete = blocks.at_end();
    if (blocks.too_long() || (text.empty() && !head.complete))
        throw InputError({path, 1, 0}, "no line end within the first 64 MiB; this is no text table");
    return head;
}

/// --names: the names themselves, or one file that holds one a line.
std::vector<std::string> given_names(const TextOptions& options) {
    if (options.names.size() != 1 || !std::filesystem::is_regular_file(options.names[0])) return options.names;
    std::ifstream file(options.names[0]);
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) {
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty()) names.push_back(line);
    }
    if (names.empty()) throw InputError("names: file '" + options.names[0] + "' holds no name");
    return names;
}

bool has_header(const std::vector<FirstRecordFields>& records, const TextOptions& options, const Dialect& dialect) {
    if (options.header) return *options.header;
    const HeaderGuess guess = detect_header(records, dialect, MissingMarkers(options.missing));
    return guess == HeaderGuess::header || (guess == HeaderGuess::likely_header && options.names.empty());
}

std::vector<std::string> numbered_names(std::size_t columns) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < columns; ++i) names.push_back("column_" + std::to_string(i));
    return names;
}

void name_the_nameless(std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i].empty()) names[i] = "column_" + std::to_string(i);
}

std::string fields_text(std::size_t count) { return std::to_string(count) + (count == 1 ? " field" : " fields"); }

void refuse_other_field_count(const std::string& path, const Head& head, const char* what, std::size_t first,
                              std::size_t usual, const Dialect& dialect) {
    std::string hint =
        "; use --skip-lines if lines before the table are no part of it, --names to name the columns, "
        "--delimiter or --quote if fields are cut otherwise";
    if (dialect.comment.empty() && (head.text.starts_with("//") || head.text.starts_with('#')))
        hint += head.text.starts_with("//") ? ", or --comment // if such lines are comments"
                                            : ", or --comment '#' if such lines are comments";
    throw InputError({path, head.first_line, 0}, std::string(what) + " has " + fields_text(first) +
                                                     " but the rows have " + std::to_string(usual) + hint);
}

/// Names, dialect and header from the first file.
TextLayout layout_of_first(const std::string& path, const Head& head, const TextOptions& options) {
    TextLayout layout;
    layout.dialect = fixed_dialect(options);
    layout.dialect.delimiter = options.delimiter == "auto"
                                   ? detect_delimiter(head.text, layout.dialect, head.complete)
                                   : delimiter_of(options.delimiter);
    const auto records = first_records(head.text, layout.dialect, k_header_records, head.complete);
    if (records.empty()) throw InputError({path, 0, 0}, "the file holds no row");
    layout.has_header = has_header(records, options, layout.dialect);
    const std::size_t usual = usual_field_count(records);
    const std::size_t first = records.front().fields.size();
    layout.names = given_names(options);
    if (!layout.names.empty() && layout.names.size() != usual)
        throw InputError({path, head.first_line, 0}, "--names gives " + std::to_string(layout.names.size()) +
                                                         " names but the rows have " + fields_text(usual));
    if (first != usual && (layout.names.empty() || !layout.has_header))
        refuse_other_field_count(path, head, layout.has_header ? "the header" : "the first row", first, usual,
                                 layout.dialect);
    if (layout.names.empty()) layout.names = layout.has_header ? records.front().fields : numbered_names(usual);
    name_the_nameless(layout.names);
    return layout;
}

/// Where the records of a file begin behind its header, which must agree with the layout's names.
void enter_body(FileBody& body, const Head& head, const TextLayout& layout, bool names_given) {
    body.begin = head.begin;
    body.first_line = head.first_line;
    if (!layout.has_header) return;
    FirstRecordFields header = read_first_record(head.text, layout.dialect);
    if (header.bytes == 0) throw InputError({body.path, 0, 0}, "the file holds no header");
    name_the_nameless(header.fields);
    if (!names_given && header.fields != layout.names) {
        std::size_t i = 0;
        while (i < header.fields.size() && i < layout.names.size() && header.fields[i] == layout.names[i]) ++i;
        const std::string here = i < header.fields.size() ? excerpt(header.fields[i]) : "nothing";
        const std::string there = i < layout.names.size() ? excerpt(layout.names[i]) : "nothing";
        throw InputError({body.path, head.first_line, 0}, "the header differs from that of the first file: column " +
                                                              std::to_string(i) + " is " + here + " here and " +
                                                              there + " there");
    }
    body.begin += header.bytes;
    body.first_line += count_line_ends(std::string_view(head.text).substr(0, header.bytes));
}

}  // namespace

TextLayout read_layout(const std::vector<std::string>& paths, const TextOptions& options) {
    if (paths.empty()) throw UsageError("no input file is given");
    TextLayout layout;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const Head head = read_head(paths[i], options.skip_lines);
        if (i == 0) layout = layout_of_first(paths[i], head, options);
        FileBody body;
        body.path = paths[i];
        body.encoding = detect_encoding(paths[i]);
        body.file_bytes = file_size_bytes(paths[i]);
        enter_body(body, head, layout, !options.names.empty());
        layout.files.push_back(std::move(body));
    }
    return layout;
}

}  // namespace regrove::ingest
