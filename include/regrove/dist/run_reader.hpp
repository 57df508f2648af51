// Brings the rows' keys (and targets, weights) to the holders of the runs and reads them place by place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regrove/dist/column_runs.hpp"
#include "regrove/train/numeric_sweep.hpp"

namespace regrove::dist {

/// What each row of this rank says to a sweep.
struct RowMessages {
    std::span<const std::uint32_t> keys;    ///< slot << class bits | class, or train::k_closed_key
    std::span<const std::int64_t> targets;  ///< with has_targets
    std::span<const std::int64_t> weights;  ///< with has_weights
    std::uint32_t largest_key = 0;          ///< over all ranks, closed keys aside: decides how many bytes a key takes
    bool has_targets = false;               ///< regression: on all ranks, also on one without rows
    bool has_weights = false;
};

/// The messages of all rows for a batch of columns, at their holders. With one rank nothing is copied.
/// Bytes sent a column: cells/rank * (1, 2 or 4 a key, + 8 a target, + 8 a weight), less the own share.
class RunExchange {
  public:
    /// Collective.
    RunExchange(comm::Communicator& comm, const ColumnRuns& runs, std::span<const std::uint32_t> columns,
                const RowMessages& messages);

    /// Bytes that a batch would hold at one rank: sent and received.
    static std::uint64_t buffer_bytes(const ColumnRun& run, const RowMessages& messages);

    /// Calls consume(block) on blocks that cover this rank's run of columns[i]. Thread-safe for different calls.
    template <class Consume>
    void read(std::size_t i, Consume&& consume) const {
        Blocks blocks(*this, i);
        while (blocks.next()) consume(blocks.block());
    }

  private:
    static constexpr std::size_t k_block = 1024;

    /// Received items of one kind: of batch column i from owner r at begins[r][i].
    struct Received {
        std::vector<std::uint8_t> bytes;
        std::vector<std::vector<std::uint64_t>> begins;
    };

    class Blocks {
      public:
        Blocks(const RunExchange& exchange, std::size_t i);
        bool next();
        const train::EntryBlock& block() const { return block_; }

      private:
        void fill_alone(std::size_t count);
        void fill_received(std::size_t count);
        template <class Narrow>
        void fill_keys(std::size_t count);

        const RunExchange& exchange_;
        const ColumnRun& run_;
        std::size_t column_;
        std::uint64_t position_ = 0;
        std::uint32_t code_ = 0;
        std::vector<std::uint64_t> cursors_;  ///< items read from each owner
        std::vector<std::uint64_t> cursors_of_values_;
        train::EntryBlock block_;
        std::vector<std::uint32_t> keys_;
        std::vector<std::uint32_t> codes_;
        std::vector<std::int64_t> targets_;
        std::vector<std::int64_t> weights_;
    };

    template <class Item, class ValueOf>
    Received exchange_items(ValueOf&& value_of);

    comm::Communicator& comm_;
    const ColumnRuns& runs_;
    std::vector<std::uint32_t> columns_;
    RowMessages messages_;
    unsigned key_bytes_ = 4;
    Received keys_;
    Received targets_;
    Received weights_;
};

}  // namespace regrove::dist
