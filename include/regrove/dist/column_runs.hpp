// The order of every numeric column over all ranks, found once by a sample sort, and its static plan of exchange.
//
// Glossary:
//   owner    the rank that holds a row's values and knows its node
//   holder   the rank that holds a place of a column's order
//   run      a holder's contiguous piece of one column's order; equal values may be cut between two runs
// An owner keeps its rows in the column's order, cut into one segment a holder. A holder keeps, for each place of its run,
// only the owner and whether the value differs from the place before: the owner's segment comes in the same order, so that
// place i of a run is the next unread item of its owner. Nothing but what changes (the rows' nodes) travels again.
//
// Memory: owner 4 bytes, holder 2 bytes a cell (one rank: 4 bytes in all). Setting up sends each cell's key once:
// (4 or 8) * cells / ranks bytes a rank, and the samples: 16 * k_samples_a_rank bytes a column to every other rank.
// Source: the sample sort of Frazer and McKellar 1970 with regular sampling (Shi and Schaeffer 1992).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

constexpr std::uint32_t k_samples_a_rank = 256;

/// The top bit of an item marks a value that differs from the one before.
constexpr std::uint32_t k_new_value_row = 0x80000000U;
constexpr std::uint16_t k_new_value_owner = 0x8000U;

struct ColumnRun {
    // as owner
    std::vector<std::uint32_t> order;  ///< own rows with a value, ascending; one rank: with k_new_value_row marks
    std::vector<std::uint64_t> segment_begins;  ///< ranks + 1: segment r of `order` goes to holder r
    std::vector<std::uint32_t> missing;         ///< own rows without a value
    // as holder, with more than one rank
    std::vector<std::uint16_t> owners;           ///< with k_new_value_owner marks
    std::vector<std::uint32_t> codes;            ///< after compact(): dense ranks, in place of the marks
    std::vector<std::uint64_t> received_counts;  ///< items from each owner
    std::uint64_t first_code = 0;                ///< global dense rank of the value at code zero

    std::uint64_t size = 0;    ///< places in this rank's run
    bool any_missing = false;  ///< on any rank
};

/// Which values are asked for: places in this rank's own runs.
struct RunQuery {
    std::uint32_t column = 0;
    std::uint64_t position = 0;
};

class ColumnRuns {
  public:
    /// `columns` are all features; `numeric` lists those to be ordered. Rows marked in `left_out` (may be empty) take
    /// no part. Collective. The columns must outlive the runs.
    ColumnRuns(comm::Communicator& comm, const std::vector<data::ColumnValues>& columns,
               std::vector<std::uint32_t> numeric, const std::vector<bool>& left_out);

    std::span<const std::uint32_t> numeric() const { return numeric_; }
    const ColumnRun& run(std::uint32_t column) const { return runs_[column]; }

    /// The values at the asked places, in order. Collective.
    std::vector<double> values_at(std::span<const RunQuery> queries) const;

    /// Drops the entries of rows marked as finished (this rank's rows). Collective.
    void compact(const std::vector<std::uint8_t>& finished);

  private:
    void build_alone(std::uint32_t column, const std::vector<bool>& left_out);
    template <class Key>
    void build_over_ranks(const std::vector<std::uint32_t>& group, const std::vector<bool>& left_out);
    void compact_alone(ColumnRun& run, const std::vector<std::uint8_t>& finished);
    void compact_over_ranks(std::uint32_t column, const std::vector<std::uint8_t>& finished);

    comm::Communicator& comm_;
    const std::vector<data::ColumnValues>& columns_;
    std::vector<std::uint32_t> numeric_;
    std::vector<ColumnRun> runs_;  ///< one a feature; empty for categorical ones
};

}  // namespace regrove::dist
