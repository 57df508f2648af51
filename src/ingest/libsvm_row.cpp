// Cells of one LibSVM line, from left to right.
#include "regrove/ingest/libsvm_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regrove/core/number_text.hpp"
#include "regrove/ingest/excerpt.hpp"
#include "regrove/ingest/number_cell.hpp"

namespace regrove::ingest {
namespace {

/// Far above any dense table, far below what would overflow a count of columns.
constexpr std::int64_t k_highest_index = 0xffffffffLL;

constexpr double k_largest_float = static_cast<double>(std::numeric_limits<float>::max());

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool fail(LibsvmBadRow& problem, std::uint64_t column, std::string message) {
    problem.column = column;
    problem.message = std::move(message);
    return false;
}

std::string why_no_number(NumberStatus status) {
    return status == NumberStatus::overflow ? " is too large for a number" : " is no number";
}

}  // namespace

struct LibsvmLineReader::Cell {
    std::string_view text;
    std::uint64_t column = 0;  ///< of its first byte, from one
};

LibsvmLine LibsvmLineReader::read(std::string_view line, LibsvmRow& row, LibsvmBadRow& problem) {
    const std::string_view content = line.substr(0, line.find('#'));
    row.group.reset();
    row.entries.clear();
    std::size_t cells = 0;
    bool in_order = true;
    for (std::size_t i = 0; i < content.size();) {
        if (is_blank(content[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < content.size() && !is_blank(content[end])) ++end;
        const Cell cell{content.substr(i, end - i), i + 1};
        i = end;
        const std::size_t before = row.entries.size();
        const bool good = cells == 0 ? read_label(cell, row, problem)
                          : cell.text.starts_with("qid:") && !row.group && cells == 1
                              ? read_group(cell, row, problem)
                              : read_entry(cell, row, problem);
        if (!good) return LibsvmLine::bad;
        ++cells;
        if (row.entries.size() > before && before > 0) {
            in_order = in_order && row.entries[before - 1].index < row.entries[before].index;
        }
    }
    if (cells == 0) return LibsvmLine::blank;
    if (!in_order && !indices_distinct(row, problem)) return LibsvmLine::bad;
    return LibsvmLine::row;
}

bool LibsvmLineReader::read_label(const Cell& cell, LibsvmRow& row, LibsvmBadRow& problem) const {
    if (cell.text.find(':') != std::string_view::npos) {
        return fail(problem, cell.column, "the row has no label: it begins with " + excerpt(cell.text));
    }
    if (cell.text.find(',') != std::string_view::npos) {
        return fail(problem, cell.column, "several labels " + excerpt(cell.text) + "; one label a row is read");
    }
    const auto number = parse_double(cell.text);
    if (number.status != NumberStatus::ok) {
        return fail(problem, cell.column, "label " + excerpt(cell.text) + why_no_number(number.status));
    }
    row.label = number.value + 0.0;  // -0 becomes 0
    return true;
}

bool LibsvmLineReader::read_group(const Cell& cell, LibsvmRow& row, LibsvmBadRow& problem) const {
    const std::string_view text = cell.text.substr(4);
    const auto number = parse_int64(text);
    if (number.status != NumberStatus::ok || number.value == data::k_missing_int64) {
        return fail(problem, cell.column, "qid " + excerpt(text) + " is no whole number of 64 bits");
    }
    row.group = number.value;
    return true;
}

bool LibsvmLineReader::read_entry(const Cell& cell, LibsvmRow& row, LibsvmBadRow& problem) const {
    const std::size_t colon = cell.text.find(':');
    if (colon == std::string_view::npos) {
        return fail(problem, cell.column, "cell " + excerpt(cell.text) + " is not of the form index:value");
    }
    const std::string_view index_text = cell.text.substr(0, colon);
    if (index_text == "qid") {
        return fail(problem, cell.column, excerpt(cell.text) + " must stand once, directly behind the label");
    }
    const auto index = parse_int64(index_text);
    if (index.status != NumberStatus::ok || index.value < 0 || index.value > k_highest_index) {
        return fail(
            problem, cell.column,
            "index " + excerpt(index_text) + " is no whole number from 0 to " + std::to_string(k_highest_index));
    }
    if (static_cast<std::uint64_t>(index.value) < rules_.lowest_index) {
        return fail(problem, cell.column,
                    "index 0 in " + excerpt(cell.text) + ", but indices start at 1; see --index-base 0");
    }
    LibsvmEntry entry{.index = static_cast<std::uint64_t>(index.value), .column = cell.column};
    std::string why;
    if (!read_value(cell.text.substr(colon + 1), entry, why)) {
        return fail(problem, cell.column + colon + 1, "value in " + excerpt(cell.text) + why);
    }
    row.entries.push_back(entry);
    return true;
}

bool LibsvmLineReader::read_value(std::string_view text, LibsvmEntry& entry, std::string& why) const {
    const NumberCell number = read_number_or_code(text, '.');
    const bool narrow_overflow = rules_.as_float32 && std::fabs(number.real) > k_largest_float;
    switch (number.kind) {
        case NumberKind::integer:
        case NumberKind::big_integer:
        case NumberKind::real:
        case NumberKind::leading_zero:
            entry.value = number.real;
            entry.fits_float32 = recoverable_from_float32(number);
            if (narrow_overflow) why = " is too large for a float32";
            return !narrow_overflow;
        default:
            break;
    }
    if (std::ranges::find(rules_.missing, text) != rules_.missing.end()) {
        entry.value = std::numeric_limits<double>::quiet_NaN();
        return true;
    }
    why = number.kind == NumberKind::infinite   ? " is infinite"
          : number.kind == NumberKind::overflow ? " is too large for a number"
                                                : " is no number";
    return false;
}

bool LibsvmLineReader::indices_distinct(const LibsvmRow& row, LibsvmBadRow& problem) {
    sorted_ = row.entries;
    std::ranges::sort(sorted_, [](const LibsvmEntry& a, const LibsvmEntry& b) {
        return a.index != b.index ? a.index < b.index : a.column < b.column;
    });
    const LibsvmEntry* first = nullptr;  // the leftmost repetition
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
        if (sorted_[i].index != sorted_[i - 1].index) continue;
        if (first == nullptr || sorted_[i].column < first->column) first = &sorted_[i];
    }
    if (first == nullptr) return true;
    return fail(problem, first->column, "index " + std::to_string(first->index) + " is given twice in this row");
}

}  // namespace regrove::ingest
