// LibSVM text to sparse rows, and when they are taken instead of dense ones.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regrove/data/sparse_cells.hpp"
#include "regrove/ingest/libsvm.hpp"

namespace regrove::ingest {

/// Columns that sparse rows may have at most.
constexpr std::uint64_t k_most_sparse_columns = std::uint64_t{1} << 24U;

/// Whether the rows are better kept sparse: more features than dense tables take, or fewer than one cell in eight given. Looks
/// at facts of the whole table only.
bool prefers_sparse(const LibsvmSummary& all, const LibsvmDecision& decision, std::uint64_t max_dense_columns);

/// No rows, with the decision's columns.
data::SparseTable make_sparse_table(const LibsvmDecision& decision);

/// As parse_libsvm, to sparse rows; bad rows are left out. Costs time and memory by the cells given.
void parse_libsvm_sparse(std::string_view text, const LibsvmDecision& decision, data::SparseTable& out);

}  // namespace regrove::ingest
