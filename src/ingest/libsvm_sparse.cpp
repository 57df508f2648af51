// Rows as they are read, each put in the order of its indices.
#include "regrove/ingest/libsvm_sparse.hpp"

#include <algorithm>
#include <utility>

#include "regrove/core/check.hpp"
#include "regrove/ingest/libsvm_row.hpp"
#include "regrove/ingest/text_lines.hpp"

namespace regrove::ingest {

namespace {

constexpr std::uint64_t k_dense_share = 8;

std::size_t first_feature(const LibsvmDecision& decision) { return decision.has_group ? 2 : 1; }

void append_label(data::ColumnValues& column, double label) {
    if (auto* whole = std::get_if<std::vector<std::int32_t>>(&column)) {
        whole->push_back(static_cast<std::int32_t>(label));
    } else {
        std::get<std::vector<double>>(column).push_back(label);
    }
}

void append_row(LibsvmRow& row, const LibsvmDecision& decision, data::SparseTable& out) {
    append_label(out.rows.values[0], row.label);
    if (decision.has_group) {
        std::get<std::vector<std::int64_t>>(out.rows.values[1]).push_back(row.group.value_or(data::k_missing_int64));
    }
    const auto by_index = [](const LibsvmEntry& a, const LibsvmEntry& b) { return a.index < b.index; };
    if (!std::is_sorted(row.entries.begin(), row.entries.end(), by_index)) {
        std::sort(row.entries.begin(), row.entries.end(), by_index);
    }
    for (const LibsvmEntry& entry : row.entries) {
        REGROVE_CHECK(entry.index - decision.first_index < decision.features);
        out.cells.add(static_cast<std::uint32_t>(entry.index - decision.first_index), entry.value);
    }
    out.cells.end_row();
    ++out.rows.rows;
}

}  // namespace

bool prefers_sparse(const LibsvmSummary& all, const LibsvmDecision& decision, std::uint64_t max_dense_columns) {
    return decision.features > max_dense_columns || all.entries < decision.features * all.rows / k_dense_share;
}

data::SparseTable make_sparse_table(const LibsvmDecision& decision) {
    const auto& columns = decision.schema.columns;
    const auto features = columns.begin() + static_cast<std::ptrdiff_t>(first_feature(decision));
    data::SparseTable table;
    table.rows = data::make_shard({{columns.begin(), features}});
    table.cells = data::make_sparse_cells({features, columns.end()}, decision.absent == AbsentCell::missing);
    return table;
}

void parse_libsvm_sparse(std::string_view text, const LibsvmDecision& decision, data::SparseTable& out) {
    LibsvmLineReader reader({.missing = decision.missing,
                             .lowest_index = decision.first_index,
                             .as_float32 = decision.width == NumberWidth::float32});
    LibsvmRow row;
    LibsvmBadRow problem;
    TextLines lines(text);
    for (std::string_view line; lines.next(line);) {
        if (reader.read(line, row, problem) == LibsvmLine::row) append_row(row, decision, out);
    }
}

}  // namespace regrove::ingest
