// LibSVM (SVMlight) text to table rows: `label [qid:N] index:value ... # comment`.
//
// The way of every reader here: scan pieces of text -> merge their summaries -> decide -> parse the pieces again.
// Pieces are cut at line ends by the caller; LF, CRLF and CR end a line. Lines count from zero inside a piece and a
// summary, so that pieces can be scanned before anybody knows how many lines lie before them.
//
// What is read: blanks and tabs between cells, blank lines, comments, inline comments, indices in any order.
// What is refused, by file, line and column: a row without a label or with several, a label or value that is no
// finite number, an index that is no whole number or is given twice, index 0 where indices start at 1, a qid on some
// rows only. A feature's column is named by the index as the file writes it ("f126"), so that two files of one data
// set agree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regrove/core/error.hpp"
#include "regrove/data/table.hpp"

namespace regrove {
class OptionTable;
}

namespace regrove::ingest {

enum class IndexBase : std::uint8_t { automatic, zero, one };
/// What an index that a row does not give stands for.
enum class AbsentCell : std::uint8_t { zero, missing };
enum class NumberWidth : std::uint8_t {
    automatic,  ///< float32 when that keeps each value of the column as written (number_cell.hpp), else float64
    float32,
    float64,
};

struct LibsvmOptions {
    IndexBase index_base = IndexBase::automatic;
    AbsentCell absent = AbsentCell::zero;
    NumberWidth width = NumberWidth::automatic;
    /// Tables are dense: more columns than this are refused (LimitError).
    std::uint64_t max_columns = 65536;
    /// Columns reach at least to this index, for files whose last features never occur; 0: to the largest one found.
    std::uint64_t last_index = 0;
    /// A table whose cells take more bytes than this is refused (LimitError); 0: no limit. Set from the memory limit,
    /// not an option of its own.
    std::uint64_t max_dense_bytes = 0;
    /// Values that mean "missing" (index:NA).
    std::vector<std::string> missing = {"nan", "NaN", "NA", "?"};
};

/// Names `index_base`, `absent`, `max_columns` and `last_index`; the others are set by the job.
void list_options(LibsvmOptions& options, OptionTable& table);

/// A row that cannot be read. `line` counts from zero (see above), `column` from one, in bytes.
struct LibsvmBadRow {
    std::uint64_t line = 0;
    std::uint64_t column = 0;
    std::string message;  ///< names the text
    std::string text;     ///< the line without its end; filled by parse_libsvm only
};

/// What is known of the labels: enough to choose a type and to see that there is one class only.
struct LibsvmLabels {
    bool whole_numbers = true;  ///< each fits an int32
    double low = 0;             ///< smallest and largest; meaningless without rows
    double high = 0;
    std::vector<double> distinct;  ///< sorted, complete up to k_max_distinct, then the smallest that many
    static constexpr std::size_t k_max_distinct = 256;
};

/// Mergeable facts of a piece of text. Good rows only, except where a field says otherwise.
struct LibsvmSummary {
    std::uint64_t lines = 0;  ///< line ends, plus one for a last line without
    std::uint64_t rows = 0;
    std::uint64_t entries = 0;
    std::uint64_t bad_rows = 0;
    std::optional<LibsvmBadRow> first_bad_row;
    std::optional<std::uint64_t> low_index;  ///< none when there is no entry
    std::uint64_t high_index = 0;
    std::optional<std::uint64_t> first_line_with_group;
    std::optional<std::uint64_t> first_line_without_group;
    LibsvmLabels labels;
    /// Bit i: index i has a value that float32 would change. Kept up to max_columns.
    std::vector<std::uint64_t> needs_float64;
};

LibsvmSummary scan_libsvm(std::string_view text, const LibsvmOptions& options);

/// The summary of `left` followed by `right`: associative, with LibsvmSummary{} as identity. Not commutative (lines).
LibsvmSummary merge(const LibsvmSummary& left, const LibsvmSummary& right);
/// Merges summaries of different files, whose lines are not comparable: positions are dropped.
LibsvmSummary merge_files(const LibsvmSummary& left, const LibsvmSummary& right);

/// To bytes and back, for sending between ranks.
std::string pack(const LibsvmSummary& summary);
LibsvmSummary unpack_libsvm_summary(std::string_view bytes);

/// Throws InputError (file:line:column and text) for the first bad row, unless `skip_bad_rows`, or for a qid that
/// only some rows have. `whole_file` is the merge over all pieces of `file`.
void check_libsvm_file(const std::string& file, const LibsvmSummary& whole_file, bool skip_bad_rows);

struct LibsvmDecision {
    /// Column "label", then "qid" when there is one, then f<first_index> .. f<last>.
    data::Schema schema;
    std::uint64_t first_index = 1;
    std::uint64_t features = 0;
    bool has_group = false;
    AbsentCell absent = AbsentCell::zero;
    NumberWidth width = NumberWidth::automatic;
    std::vector<std::string> missing;
    /// For the log and the summary, such as "no index 0: indices are taken to start at 1 ...".
    std::vector<std::string> warnings;
};

/// Pure: the same on every rank. Throws InputError when there is no row or no entry, LimitError when the dense table
/// would be too large. `all` is the merge over all files.
LibsvmDecision decide_libsvm(const LibsvmSummary& all, const LibsvmOptions& options);

/// Appends the rows of `text` to `out` (made with the decision's schema). Bad rows are left out; they are appended to
/// `bad_rows`, with their text, when it is not null. Costs rows * features cells. Line numbers count from
/// `first_line`.
void parse_libsvm(std::string_view text, std::uint64_t first_line, const LibsvmDecision& decision,
                  data::TableShard& out, std::vector<LibsvmBadRow>* bad_rows = nullptr);

/// Whether a text that begins with these bytes looks like LibSVM: its first rows hold a number and index:value cells.
bool looks_like_libsvm(std::string_view head);

}  // namespace regrove::ingest
