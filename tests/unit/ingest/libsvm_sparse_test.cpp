// Sparse rows of LibSVM text hold what the dense ones hold.
#include "regrove/ingest/libsvm_sparse.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

namespace regrove::ingest {
namespace {

const std::string k_text =
    "1 qid:3 2:0.5 7:-1.25\n"
    "0 qid:3 7:3 1:0 2:NA # indices in another order, a zero, a missing value\n"
    "\n"
    "2 qid:4\n"
    "bad row\n"
    "1 qid:4 4:0.1 5:0.123456789012345 7:-0\n";

LibsvmDecision decision_of(AbsentCell absent, LibsvmSummary& all) {
    LibsvmOptions options;
    options.absent = absent;
    options.index_base = IndexBase::one;
    all = scan_libsvm(k_text, options);
    return decide_libsvm(all, options);
}

std::vector<double> cells_of(const data::TableShard& shard, std::size_t column) {
    std::vector<double> cells;
    for (std::size_t row = 0; row < shard.rows; ++row)
        cells.push_back(data::as_double(shard.schema.columns[column].type, shard.values[column], row));
    return cells;
}

TEST(LibsvmSparse, HoldsWhatDenseRowsHold) {
    for (const AbsentCell absent : {AbsentCell::zero, AbsentCell::missing}) {
        LibsvmSummary all;
        const LibsvmDecision decision = decision_of(absent, all);
        data::TableShard dense = data::make_shard(decision.schema);
        parse_libsvm(k_text, 0, decision, dense);
        data::SparseTable sparse = make_sparse_table(decision);
        parse_libsvm_sparse(k_text, decision, sparse);
        // Zero: 0.5, -1.25, 3, NA, 0.1, 0.123; missing: the two zeros, too, but not NA.
        EXPECT_EQ(sparse.cells.size(), absent == AbsentCell::zero ? 6U : 7U);
        EXPECT_TRUE(sparse.cells.is_wide);  // f5 needs float64
        std::vector<std::uint32_t> features(decision.features);
        std::iota(features.begin(), features.end(), 0U);
        const data::TableShard spread = data::dense_part(sparse.rows, sparse.cells, features, 0, 4);
        ASSERT_EQ(spread.schema, dense.schema);
        ASSERT_EQ(dense.rows, 4U);
        for (std::size_t column = 0; column < dense.values.size(); ++column) {
            const auto expected = cells_of(dense, column);
            const auto found = cells_of(spread, column);
            for (std::size_t row = 0; row < 4; ++row) {
                const bool same = std::isnan(expected[row]) ? std::isnan(found[row]) : found[row] == expected[row];
                EXPECT_TRUE(same) << column << " " << row;
            }
        }
    }
}

TEST(LibsvmSparse, IsPreferredWhereFewCellsAreGiven) {
    LibsvmSummary all;
    LibsvmDecision decision = decision_of(AbsentCell::zero, all);
    EXPECT_EQ(all.entries, 8U);
    EXPECT_FALSE(prefers_sparse(all, decision, 100));  // 8 of 28
    EXPECT_TRUE(prefers_sparse(all, decision, 6));     // too many columns
    decision.features = 17;                            // 8 of 68
    EXPECT_FALSE(prefers_sparse(all, decision, 100));
    decision.features = 18;  // 8 of 72
    EXPECT_TRUE(prefers_sparse(all, decision, 100));
}

}  // namespace
}  // namespace regrove::ingest
