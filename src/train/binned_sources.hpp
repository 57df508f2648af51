// Where a sweep over bins gets its bins from: a histogram, or a node's rows sorted by code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "regrove/train/binned_split.hpp"
#include "regrove/train/side_statistics.hpp"

namespace regrove::train {

/// A histogram as plain statistics: (bins + 1) x layout.size().
struct StatisticsCells {
    StatisticsLayout layout;
    Statistics cells;

    bool empty(std::uint32_t code) const { return cells[code * layout.size() + layout.rows_at()] == 0; }
    Statistics at(std::uint32_t code) const { return cells.subspan(code * layout.size(), layout.size()); }
};

/// A histogram, read from its first to its last bin. `Cells` has empty(code) and at(code) -> Statistics.
template <class Cells>
class HistogramSource {
  public:
    HistogramSource(const Cells& cells, std::uint32_t bins) : cells_(cells), begin_(0), end_(bins) {
        while (begin_ < end_ && cells_.empty(begin_)) ++begin_;
        while (begin_ < end_ && cells_.empty(end_ - 1)) --end_;
    }
    bool empty() const { return begin_ == end_; }
    std::uint32_t first() const { return begin_; }
    std::uint32_t last() const { return end_ - 1; }
    /// The last bin that is not empty and below or equal to `bound`, a bin number; else the first.
    std::uint32_t last_up_to(std::uint32_t bound) const {
        std::uint32_t code = std::clamp(bound, begin_, last());
        while (code > begin_ && cells_.empty(code)) --code;
        return code;
    }
    template <class Sweep>
    void feed(Sweep& sweep) const {
        for (std::uint32_t code = begin_; code < end_; ++code) {
            if (cells_.empty(code)) continue;
            sweep.begin_bin(code);
            sweep.move_all(cells_.at(code));
        }
    }

  private:
    const Cells& cells_;
    std::uint32_t begin_;
    std::uint32_t end_;
};

/// A row of a node with its code of one feature.
struct CodedRow {
    std::uint32_t code = 0;
    std::uint32_t place = 0;  ///< of the row in its node, for the caller
    friend bool operator<(const CodedRow& x, const CodedRow& y) { return x.code < y.code; }
};

/// Rows with a value, ascending by code. `Rows` has target(place) and weight(place).
template <class Rows>
class SortedSource {
  public:
    SortedSource(std::span<const CodedRow> sorted, const Rows& rows) : sorted_(sorted), rows_(rows) {}
    bool empty() const { return sorted_.empty(); }
    std::uint32_t first() const { return sorted_.front().code; }
    std::uint32_t last() const { return sorted_.back().code; }
    std::uint32_t last_up_to(std::uint32_t bound) const {
        const auto above = std::upper_bound(sorted_.begin(), sorted_.end(), CodedRow{bound, 0});
        return above == sorted_.begin() ? first() : (above - 1)->code;
    }
    template <class Sweep>
    void feed(Sweep& sweep) const {
        bool any = false;
        std::uint32_t code = 0;
        for (const CodedRow& row : sorted_) {
            if (!any || row.code != code) sweep.begin_bin(row.code);
            any = true;
            code = row.code;
            sweep.move(rows_.target(row.place), rows_.weight(row.place));
        }
    }

  private:
    std::span<const CodedRow> sorted_;
    const Rows& rows_;
};

/// The last bin all of whose values are at most `value`, as a bin number; -1: none. Bins ascend.
inline std::int64_t last_bin_at_most(const binning::Bins& bins, double value) {
    return std::upper_bound(bins.high.begin(), bins.high.end(), value) - bins.high.begin() - 1;
}

template <class Sides, class Source>
BinnedCandidate sweep_with(const BinnedSplitRules& rules, const BinnedFeature& feature, const Source& source,
                           Statistics missing, BinSweepScratch& scratch) {
    BinnedCandidate result;
    if (source.empty()) return result;
    BinSweepInput input;
    input.feature = feature.feature;
    input.totals = feature.totals;
    input.missing = missing;
    input.min_rows_leaf = rules.min_rows_leaf;
    input.missing_as_question = rules.missing_as_question;
    result.first_bin = source.first();
    result.last_bin = source.last();
    if (rules.extra_random) {
        result.drawn_threshold =
            value_between(feature.bins->low[result.first_bin], feature.bins->high[result.last_bin],
                          feature.random->threshold_share(feature.feature));
        const std::int64_t bound = last_bin_at_most(*feature.bins, result.drawn_threshold);
        input.only_cut_after_bin = source.last_up_to(static_cast<std::uint32_t>(std::max<std::int64_t>(bound, 0)));
    }
    BinSweep<Sides> sweep(rules.layout, *rules.entropy, input, scratch);
    source.feed(sweep);
    result.candidate = sweep.finish();
    result.missing_seen = rows(rules.layout, missing) != 0;
    return result;
}

/// The sweep of the criterion.
template <class Source>
BinnedCandidate sweep_source(const BinnedSplitRules& rules, const BinnedFeature& feature, const Source& source,
                             Statistics missing, BinSweepScratch& scratch) {
    switch (rules.criterion) {
        case Criterion::squared_error:
            return sweep_with<SquaredErrorSides>(rules, feature, source, missing, scratch);
        case Criterion::entropy:
            return sweep_with<EntropySides>(rules, feature, source, missing, scratch);
        default:
            if (rules.squares_fit_64_bits)
                return sweep_with<GiniSides<std::uint64_t>>(rules, feature, source, missing, scratch);
            return sweep_with<GiniSides<Int128>>(rules, feature, source, missing, scratch);
    }
}

}  // namespace regrove::train
