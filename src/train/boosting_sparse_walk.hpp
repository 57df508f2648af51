// One walk along a sparse column: what its present rows sum to in each of some nodes, and in each bin of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "regrove/train/boosting_sparse_columns.hpp"
#include "regrove/train/boosting_sparse_rows.hpp"
#include "regrove/train/boosting_split.hpp"

namespace regrove::train {

/// Nodes of a batch by slots 0, 1, ...; of rows by their place.
struct NodeSlots {
    static constexpr std::uint32_t k_none = ~std::uint32_t{0};
    std::vector<std::uint32_t> of_place;
    std::size_t count = 0;

    NodeSlots(std::span<const std::uint32_t> ids, std::size_t nodes)
        : of_place(nodes + 1, k_none), count(ids.size()) {
        for (std::uint32_t slot = 0; slot < ids.size(); ++slot) of_place[place_of_node(ids[slot])] = slot;
    }
};

/// The memory of one thread; walks column after column.
template <class Row>
class ColumnWalk {
  public:
    /// `counts`: sums count rows. All must outlive it.
    ColumnWalk(const SparseColumns& columns, const std::vector<Row>& rows, const NodeSlots& slots, bool counts)
        : columns_(columns),
          rows_(rows),
          slots_(slots),
          counts_(counts ? 1 : 0),
          totals_(slots.count),
          wanted_(slots.count, 0),
          lists_(slots.count) {}

    /// Adds up a column's present rows by slot; the slots that have any.
    const std::vector<std::uint32_t>& add_up(std::uint32_t column) {
        for (const auto slot : touched_) totals_[slot] = {};
        touched_.clear();
        each_entry(column, [&](std::uint32_t slot, std::uint16_t, const GradientSums& sums) {
            if (totals_[slot].hessian == 0) touched_.push_back(slot);
            totals_[slot] += sums;
        });
        return touched_;
    }
    const GradientSums& total(std::uint32_t slot) const { return totals_[slot]; }

    /// Lists the bins of the present rows of these slots; the one for "no value" last. Calls visit(bin) for every entry of
    /// any slot, in order.
    template <class Visit>
    void list(std::uint32_t column, std::span<const std::uint32_t> slots, Visit visit) {
        for (const auto slot : slots) {
            wanted_[slot] = 1;
            lists_[slot].clear();
        }
        each_entry(column, [&](std::uint32_t slot, std::uint16_t bin, const GradientSums& sums) {
            visit(bin);
            if (wanted_[slot] == 0) return;
            auto& bins = lists_[slot];
            if (bins.empty() || bins.back().bin != bin) bins.push_back({bin, {}});
            bins.back().sums += sums;
        });
        for (const auto slot : slots) wanted_[slot] = 0;
    }

    /// What the node's rows sum to by bin, absent ones too, once listed.
    struct Listed {
        std::span<const ListedBin> bins;
        GradientSums missing;
    };
    Listed complete(std::uint32_t column, std::uint32_t slot, const GradientSums& node) {
        std::vector<ListedBin>& bins = lists_[slot];
        Listed listed;
        const std::uint32_t count = columns_.bin_count(column);
        if (!bins.empty() && bins.back().bin == count) {
            listed.missing = bins.back().sums;
            bins.pop_back();
        }
        const GradientSums absent = absent_sums(slot, node);
        const std::uint32_t absent_bin = columns_.absent_bins[column];
        if (absent_bin == count) {
            listed.missing += absent;
        } else if (absent.hessian != 0) {
            const auto place = std::lower_bound(bins.begin(), bins.end(), absent_bin,
                                                [](const ListedBin& b, std::uint32_t bin) { return b.bin < bin; });
            if (place != bins.end() && place->bin == absent_bin) {
                place->sums += absent;
            } else {
                bins.insert(place, {absent_bin, absent});
            }
        }
        listed.bins = bins;
        return listed;
    }

    GradientSums absent_sums(std::uint32_t slot, const GradientSums& node) const {
        GradientSums absent = node - totals_[slot];
        if (counts_ == 0) absent.rows = 0;
        return absent;
    }

    /// Calls visit(slot, bin, sums) for the entries whose rows are in a slot, in order.
    template <class Visit>
    void each_entry(std::uint32_t column, Visit visit) const {
        constexpr std::size_t k_ahead = 16;
        const auto rows = columns_.rows_of(column);
        const auto bins = columns_.bins_of(column);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            __builtin_prefetch(&rows_[rows[std::min(i + k_ahead, rows.size() - 1)]]);
            const Row& row = rows_[rows[i]];
            const std::uint32_t slot = slots_.of_place[row.place];
            if (slot == NodeSlots::k_none) continue;
            GradientSums sums = sums_of(row);
            sums.rows = counts_;
            visit(slot, bins[i], sums);
        }
    }

  private:
    const SparseColumns& columns_;
    const std::vector<Row>& rows_;
    const NodeSlots& slots_;
    std::int64_t counts_;
    std::vector<GradientSums> totals_;
    std::vector<std::uint32_t> touched_;
    std::vector<std::uint8_t> wanted_;
    std::vector<std::vector<ListedBin>> lists_;
};

}  // namespace regrove::train
