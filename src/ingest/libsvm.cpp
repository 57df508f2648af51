// What LibSVM text becomes: the decision on columns and types, then the cells.
#include "regrove/ingest/libsvm.hpp"

#include <algorithm>
#include <limits>
#include <variant>

#include "regrove/core/check.hpp"
#include "regrove/core/number_text.hpp"
#include "regrove/core/option_table.hpp"
#include "regrove/ingest/libsvm_row.hpp"
#include "regrove/ingest/text_lines.hpp"

namespace regrove::ingest {
namespace {

constexpr std::uint64_t k_most_columns = std::uint64_t{1} << 24U;

std::uint64_t first_index(const LibsvmSummary& all, const LibsvmOptions& options) {
    if (options.index_base == IndexBase::automatic) return all.low_index == std::uint64_t{0} ? 0 : 1;
    return options.index_base == IndexBase::zero ? 0 : 1;
}

bool has_bit(const std::vector<std::uint64_t>& bits, std::uint64_t i) {
    return i / 64 < bits.size() && ((bits[i / 64] >> (i % 64)) & 1U) != 0;
}

data::ColumnType feature_type(const LibsvmSummary& all, const LibsvmOptions& options, std::uint64_t i) {
    const bool wide = options.width == NumberWidth::automatic ? has_bit(all.needs_float64, i)
                                                              : options.width == NumberWidth::float64;
    return wide ? data::ColumnType::float64 : data::ColumnType::float32;
}

void require_rows(const LibsvmSummary& all, const LibsvmOptions& options) {
    if (all.rows == 0) {
        throw InputError("the LibSVM input has no rows" +
                         (all.bad_rows > 0 ? " but " + std::to_string(all.bad_rows) + " bad ones" : std::string()));
    }
    if (!all.low_index && options.last_index == 0) {
        throw InputError("no row of the LibSVM input has an index:value cell, so there are no features");
    }
    if (all.first_line_with_group && all.first_line_without_group) {
        throw InputError("some LibSVM input files give a qid and others do not; give it in all or in none");
    }
}

void require_fits(const LibsvmSummary& all, const LibsvmOptions& options, const LibsvmDecision& decision) {
    const std::uint64_t last = decision.first_index + decision.features - 1;
    const std::string size = "the LibSVM input would become a dense table of " + std::to_string(decision.features) +
                             " feature columns (indices " + std::to_string(decision.first_index) + " to " +
                             std::to_string(last) + ") and " + std::to_string(all.rows) + " rows";
    const std::string advice =
        "; tables are dense here: give the file itself to train --method boosting, predict or evaluate, which "
        "keep it sparse, renumber the features that occur, hash them to fewer columns";
    if (decision.features > options.max_columns) {
        throw LimitError(size + ", more columns than " + std::to_string(options.max_columns) + advice +
                         ", or raise --max-columns");
    }
    if (options.max_dense_bytes == 0) return;
    const std::uint64_t cell_bytes = options.width == NumberWidth::float64 ? sizeof(double) : sizeof(float);
    const std::uint64_t row_bytes = decision.features * cell_bytes;
    if (all.rows > options.max_dense_bytes / row_bytes) {
        throw LimitError(size + ", over the limit of " + format_bytes(options.max_dense_bytes) + advice +
                         ", raise --memory-limit, or use more ranks");
    }
}

std::vector<std::string> warnings_of(const LibsvmSummary& all, const LibsvmOptions& options) {
    if (options.index_base != IndexBase::automatic || !all.low_index || *all.low_index == 0) return {};
    return {
        "no row has index 0, so indices are taken to start at 1 (first feature column f1); use --index-base 0 if "
        "they start at 0, or --index-base 1 to silence this"};
}

struct FlatEntry {
    std::uint64_t row;
    std::uint64_t feature;
    double value;
};

/// The rows of a piece of text before they are dealt out to the columns.
struct FlatRows {
    std::vector<double> labels;
    std::vector<std::int64_t> groups;
    std::vector<FlatEntry> entries;
};

void append_row(FlatRows& rows, const LibsvmRow& row, const LibsvmDecision& decision) {
    for (const LibsvmEntry& entry : row.entries) {
        REGROVE_CHECK(entry.index - decision.first_index < decision.features);
        rows.entries.push_back({rows.labels.size(), entry.index - decision.first_index, entry.value});
    }
    rows.labels.push_back(row.label);
    if (decision.has_group) rows.groups.push_back(row.group.value_or(data::k_missing_int64));
}

void append_labels(data::ColumnValues& column, const std::vector<double>& labels) {
    std::visit(
        [&](auto& cells) {
            using Cell = typename std::remove_reference_t<decltype(cells)>::value_type;
            if constexpr (std::is_arithmetic_v<Cell>) {
                for (const double label : labels) cells.push_back(static_cast<Cell>(label));
            }
        },
        column);
}

/// Widens every feature column by `rows` absent cells.
void append_absent(data::TableShard& out, std::size_t first_feature, std::size_t rows, AbsentCell absent) {
    for (std::size_t c = first_feature; c < out.values.size(); ++c) {
        if (auto* narrow = std::get_if<std::vector<float>>(&out.values[c])) {
            narrow->resize(narrow->size() + rows,
                           absent == AbsentCell::zero ? 0.0F : std::numeric_limits<float>::quiet_NaN());
        } else {
            auto& wide = std::get<std::vector<double>>(out.values[c]);
            wide.resize(wide.size() + rows,
                        absent == AbsentCell::zero ? 0.0 : std::numeric_limits<double>::quiet_NaN());
        }
    }
}

void set_entries(data::TableShard& out, std::size_t first_feature, const std::vector<FlatEntry>& entries) {
    for (const FlatEntry& entry : entries) {
        auto& column = out.values[first_feature + entry.feature];
        if (auto* narrow = std::get_if<std::vector<float>>(&column)) {
            (*narrow)[out.rows + entry.row] = static_cast<float>(entry.value);
        } else {
            std::get<std::vector<double>>(column)[out.rows + entry.row] = entry.value;
        }
    }
}

void append_rows(data::TableShard& out, const FlatRows& rows, const LibsvmDecision& decision) {
    append_labels(out.values[0], rows.labels);
    if (decision.has_group) {
        auto& groups = std::get<std::vector<std::int64_t>>(out.values[1]);
        groups.insert(groups.end(), rows.groups.begin(), rows.groups.end());
    }
    const std::size_t first_feature = decision.has_group ? 2 : 1;
    append_absent(out, first_feature, rows.labels.size(), decision.absent);
    set_entries(out, first_feature, rows.entries);
    out.rows += rows.labels.size();
}

/// How many cells behind the first look like index:value; nothing when one does not.
std::optional<std::size_t> count_entries(std::string_view line) {
    constexpr std::string_view blanks = " \t";
    std::size_t cells = 0;
    std::size_t entries = 0;
    for (std::size_t i = line.find_first_not_of(blanks); i < line.size(); i = line.find_first_not_of(blanks, i)) {
        const std::string_view cell = line.substr(i, line.find_first_of(blanks, i) - i);
        i += cell.size();
        const std::size_t colon = cell.find(':');
        const bool digits = colon != 0 && colon < cell.size() && cell.find_first_not_of("0123456789") == colon;
        const bool entry = (digits || cell.starts_with("qid:")) && cell.find(',') == std::string_view::npos;
        if (cells > 0 && !entry) return std::nullopt;
        entries += entry ? 1 : 0;
        ++cells;
    }
    return entries;
}

}  // namespace

void list_options(LibsvmOptions& options, OptionTable& table) {
    table.add("index_base", options.index_base,
              Choices<IndexBase>{{"auto", IndexBase::automatic}, {"0", IndexBase::zero}, {"1", IndexBase::one}},
              "first index of LibSVM files; auto: 0 where an index 0 occurs, else 1");
    table.add("absent", options.absent,
              Choices<AbsentCell>{{"zero", AbsentCell::zero}, {"missing", AbsentCell::missing}},
              "what an index that a LibSVM row does not give stands for");
    table.add("max_columns", options.max_columns, 1, k_most_columns,
              "refuse LibSVM input with more feature columns than this");
    table.add("last_index", options.last_index, 0, k_most_columns,
              "LibSVM columns reach at least to this index; 0: to the largest found");
}

void check_libsvm_file(const std::string& file, const LibsvmSummary& whole_file, bool skip_bad_rows) {
    if (whole_file.first_bad_row && !skip_bad_rows) {
        const LibsvmBadRow& bad = *whole_file.first_bad_row;
        throw InputError({file, bad.line + 1, bad.column}, bad.message);
    }
    const auto& with = whole_file.first_line_with_group;
    const auto& without = whole_file.first_line_without_group;
    if (with && without) {
        const bool lacks = *without > *with;
        throw InputError({file, (lacks ? *without : *with) + 1, 1},
                         std::string("this row has ") + (lacks ? "no qid" : "a qid") +
                             ", unlike the rows before it; " + "give a qid in all rows or in none");
    }
}

LibsvmDecision decide_libsvm(const LibsvmSummary& all, const LibsvmOptions& options) {
    require_rows(all, options);
    LibsvmDecision decision;
    decision.first_index = first_index(all, options);
    const std::uint64_t last = std::max({all.high_index, options.last_index, decision.first_index});
    decision.features = last - decision.first_index + 1;
    decision.has_group = all.first_line_with_group.has_value();
    decision.absent = options.absent;
    decision.width = options.width;
    decision.missing = options.missing;
    decision.warnings = warnings_of(all, options);
    require_fits(all, options, decision);
    using data::ColumnRole;
    using data::ColumnType;
    auto& columns = decision.schema.columns;
    columns.push_back(
        {"label", all.labels.whole_numbers ? ColumnType::int32 : ColumnType::float64, ColumnRole::label, {}});
    if (decision.has_group) columns.push_back({"qid", ColumnType::int64, ColumnRole::group, {}});
    for (std::uint64_t i = decision.first_index; i <= last; ++i) {
        columns.push_back({"f" + std::to_string(i), feature_type(all, options, i), ColumnRole::feature, {}});
    }
    return decision;
}

void parse_libsvm(std::string_view text, std::uint64_t first_line, const LibsvmDecision& decision,
                  data::TableShard& out, std::vector<LibsvmBadRow>* bad_rows) {
    LibsvmLineReader reader({.missing = decision.missing,
                             .lowest_index = decision.first_index,
                             .as_float32 = decision.width == NumberWidth::float32});
    FlatRows rows;
    LibsvmRow row;
    LibsvmBadRow problem;
    TextLines lines(text);
    std::uint64_t line_number = first_line;
    for (std::string_view line; lines.next(line); ++line_number) {
        const LibsvmLine kind = reader.read(line, row, problem);
        if (kind == LibsvmLine::row) append_row(rows, row, decision);
        if (kind != LibsvmLine::bad || bad_rows == nullptr) continue;
        bad_rows->push_back({line_number, problem.column, problem.message, std::string(line)});
    }
    append_rows(out, rows, decision);
}

bool looks_like_libsvm(std::string_view head) {
    constexpr int most_rows = 10;
    const std::size_t last_end = head.find_last_of("\r\n");
    TextLines lines(last_end == std::string_view::npos ? head : head.substr(0, last_end + 1));
    std::size_t entries = 0;
    int rows = 0;
    for (std::string_view line; rows < most_rows && lines.next(line);) {
        const auto found = count_entries(line.substr(0, line.find('#')));
        if (!found) return false;
        entries += *found;
        ++rows;
    }
    return entries > 0;
}

}  // namespace regrove::ingest
