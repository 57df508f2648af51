// The gradients of a tree's rows and the nodes they are in, at their places in the global order of every numeric column.
//
// Gradients stay what they are while a tree grows: with more than one rank each holder is sent those of its places once a
// tree and keeps them in their order. Only the nodes of rows travel level after level.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "regrove/comm/communicator.hpp"
#include "regrove/data/table.hpp"
#include "regrove/dist/column_runs.hpp"
#include "regrove/dist/run_reader.hpp"
#include "regrove/train/boosting_sweep.hpp"
#include "regrove/train/boosting_thresholds.hpp"

namespace regrove::dist {

/// A row of this rank as sweeps see it.
struct SweptRow {
    std::uint32_t slot = train::k_closed_slot;
    std::int64_t gradient = 0;
    std::int64_t hessian = 0;
};

class GradientRuns {
  public:
    /// Orders the columns (see ColumnRuns). Collective.
    GradientRuns(comm::Communicator& comm, const std::vector<data::ColumnValues>& columns,
                 std::vector<std::uint32_t> numeric, const std::vector<bool>& left_out);

    /// Collective.
    void start_tree(const train::TreeRows& rows);
    /// Slot i is nodes[i]; rows of no node are closed.
    void set_slots(std::span<const train::ThresholdNode> nodes);

    const ColumnRuns& runs() const { return runs_; }
    SweptRow row(std::uint32_t row) const;
    /// How many columns' slots may be on their way at once; the same on all ranks.
    std::size_t columns_a_batch() const;

    /// The slots of a batch of columns, at their holders. With one rank nothing is copied.
    class Pass {
      public:
        /// Collective.
        Pass(const GradientRuns& gradients, std::span<const std::uint32_t> columns);
        /// Calls consume(block) on blocks that cover this rank's run of columns[i]. Thread-safe for different i.
        void read(std::size_t i, const std::function<void(const train::GradientBlock&)>& consume) const;

      private:
        void read_alone(const ColumnRun& run, const std::function<void(const train::GradientBlock&)>& consume) const;

        const GradientRuns& gradients_;
        std::vector<std::uint32_t> columns_;
        std::optional<RunExchange> exchange_;
    };

  private:
    struct Block;

    std::size_t columns_a_batch(const RowMessages& messages) const;
    RowMessages slot_messages() const;
    void take_packed(const train::TreeRows& rows);
    void send_gradients(const train::TreeRows& rows);
    bool records_alone() const { return packed_ && comm_.size() == 1; }

    comm::Communicator& comm_;
    ColumnRuns runs_;
    std::size_t row_count_ = 0;
    std::uint64_t widest_run_ = 1;      ///< items sent and received for one column, on any rank
    std::uint64_t fewest_columns_ = 1;  ///< a batch: as many as any rank has threads
    bool packed_ = false;
    const train::TreeRows* rows_ = nullptr;
    std::uint32_t largest_slot_ = 0;
    std::vector<std::uint64_t> records_;        ///< packed, one rank: slot << 32 | gradient << 16 | hessian, by row
    std::vector<std::uint32_t> slots_;          ///< else: by row
    std::vector<std::uint32_t> packed_of_row_;  ///< packed, several ranks: gradient << 16 | hessian, by row
    // By column, in the order of the run; several ranks.
    std::vector<std::vector<std::uint32_t>> held_packed_;
    std::vector<std::vector<std::int64_t>> held_gradient_;
    std::vector<std::vector<std::int64_t>> held_hessian_;
};

}  // namespace regrove::dist
