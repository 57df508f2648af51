// A table of which many trials take rows: whole on every rank, or spread over them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"

namespace regrove::dist {

/// What is dealt to the ranks. Results do not depend on it.
enum class TrialSpread : std::uint8_t {
    automatic,  ///< trials while a copy of the tables fits every rank, else rows
    trials,     ///< every rank has all rows and runs its share of the trials
    rows,       ///< every rank has its share of the rows and all ranks run each trial
};

/// Without a memory limit, tables of up to this many bytes are copied to every rank.
constexpr std::uint64_t k_largest_copied_table = std::uint64_t{2} << 30U;

/// Bytes of this rank's cells (texts by their length).
std::uint64_t cell_bytes(const data::TableShard& shard);

/// What `automatic` stands for when the tables have `bytes` over all ranks: trials up to k_largest_copied_table, or up to
/// a quarter of `memory_limit_bytes` (0: none), since a trial holds its rows again, and learning from them takes as much.
TrialSpread resolve(TrialSpread asked, std::uint64_t bytes, std::uint64_t memory_limit_bytes);

class TrialTable {
  public:
    /// `spread` is trials or rows. Collective.
    TrialTable(comm::Communicator& comm, data::TableShard shard, TrialSpread spread);

    const data::Schema& schema() const { return shard_.schema; }
    /// Over all ranks.
    std::uint64_t rows() const { return roles_.rows; }
    /// The label, weight, group and fold columns of all rows, on every rank. O(rows) memory.
    const data::TableShard& roles() const { return roles_; }

    /// The rows at these places, ascending (a place may stand several times), as a table of its own, spread over the
    /// ranks of the trial. Collective over `trial_comm`: any communicator of one rank if the table is whole here, else
    /// the table's.
    data::TableShard take(comm::Communicator& trial_comm, std::span<const std::uint64_t> places) const;
    /// Those of the places whose rows take() gives to this rank.
    std::span<const std::uint64_t> held(std::span<const std::uint64_t> places) const;

    /// The rows that this rank answers for in what the ranks write together: the shares of the table as it was read.
    std::uint64_t own_begin() const { return begins_[rank_]; }
    std::uint64_t own_end() const { return begins_[rank_ + 1]; }
    /// The rank that answers for a row.
    std::size_t owner(std::uint64_t row) const;

  private:
    data::TableShard roles_;
    data::TableShard shard_;
    std::vector<std::uint64_t> begins_;  ///< ranks + 1
    std::size_t rank_;
};

/// The label, weight, group and fold columns of all rows, on every rank. Collective.
data::TableShard replicate_roles(comm::Communicator& comm, const data::TableShard& shard);

}  // namespace regrove::dist
