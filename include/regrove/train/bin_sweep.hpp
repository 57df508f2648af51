// One pass over a node's bins of one feature, in ascending order: the best place to cut between two of them.
//
// The same candidates and the same order of preference as the sorted sweep (numeric_sweep.hpp), for bins in place of single
// values: a bin for every value gives the same split. Time: one update a bin or row, one evaluation a bin that is not empty.
#pragma once

#include <cstdint>
#include <vector>

#include "regrove/train/best_candidate.hpp"
#include "regrove/train/numeric_sweep.hpp"
#include "regrove/train/statistics.hpp"

namespace regrove::train {

/// What a sweep over bins must know. Statistics are in the layout's order.
struct BinSweepInput {
    std::uint32_t feature = 0;
    Statistics totals;   ///< of the node's rows, those without a value included
    Statistics missing;  ///< of the rows without a value
    std::uint64_t min_rows_leaf = 1;
    bool missing_as_question = false;      ///< "has no value" is a candidate, too
    std::int64_t only_cut_after_bin = -1;  ///< the one cut to be judged; -1: all
};

/// Memory that sweeps use again and again.
struct BinSweepScratch {
    std::vector<std::int64_t> counters;
    std::vector<std::int64_t> left;
    std::vector<std::int64_t> right;
};

/// Call begin_bin() with ascending codes, then move() or move_all() for what the bin holds; finish() at the end. The
/// candidate's code is that of the last bin on the left; right_begin.position is the next bin that is not empty.
template <class Sides>
class BinSweep {
  public:
    BinSweep(const StatisticsLayout& layout, const EntropyTerms& entropy, const BinSweepInput& input,
             BinSweepScratch& scratch)
        : layout_(layout), input_(input), has_missing_(rows(layout, input.missing) != 0) {
        const std::size_t width = layout.size();
        scratch.counters.assign(Sides::k_counts ? std::size_t{4} * layout.classes : 0, 0);
        scratch.left.assign(width, 0);
        scratch.right.assign(input.totals.begin(), input.totals.end());
        sides_.start(layout, scratch.left, scratch.right, scratch.counters.data(), entropy);
        if (!has_missing_) return;
        for (std::size_t i = 0; i < width; ++i) {
            scratch.left[i] += input.missing[i];
            scratch.right[i] -= input.missing[i];
        }
        sides_missing_left_.start(layout, scratch.left, scratch.right,
                                  scratch.counters.data() + std::size_t{2} * (Sides::k_counts ? layout.classes : 0),
                                  entropy);
    }

    void begin_bin(std::uint32_t code) {
        if (any_ && (input_.only_cut_after_bin < 0 || input_.only_cut_after_bin == last_code_)) take({0, code});
        if (!any_) first_code_ = code;
        any_ = true;
        last_code_ = code;
    }
    void move(std::int64_t target, std::int64_t weight) {
        sides_.move(target, weight);
        if (has_missing_) [[unlikely]]
            sides_missing_left_.move(target, weight);
    }
    void move_all(Statistics bin) {
        sides_.move_all(layout_, bin);
        if (has_missing_) [[unlikely]]
            sides_missing_left_.move_all(layout_, bin);
    }

    SplitCandidate finish() {
        if (any_ && input_.missing_as_question && has_missing_) consider(sides_, {}, true);
        return best_;
    }
    bool any() const { return any_; }
    std::uint32_t first_code() const { return first_code_; }
    std::uint32_t last_code() const { return last_code_; }

  private:
    /// Of the two places for rows without a value the better one, left when equal.
    void take(const RunPlace& next) {
        if (!has_missing_) {
            consider(sides_, next, false);
            return;
        }
        const bool left_allowed = sides_missing_left_.counts.allowed(input_.min_rows_leaf);
        const bool right_allowed = sides_.counts.allowed(input_.min_rows_leaf);
        if (left_allowed && (!right_allowed || compare(sides_missing_left_.exact(), sides_.exact()) >= 0)) {
            consider(sides_missing_left_, next, false);
        } else if (right_allowed) {
            consider(sides_, next, true);
        }
    }

    void consider(const Sides& sides, const RunPlace& next, bool missing_right) {
        if (!sides.counts.allowed(input_.min_rows_leaf)) return;
        ExactScore exact;
        // Thresholds rise during the sweep, so that the first of equals stays.
        if (score_.compare_with_best(sides, exact) <= 0) return;
        score_.take(exact);
        best_.score = exact;
        best_.code = last_code_;
        best_.left_end = {0, last_code_};
        best_.right_begin = next;
        best_.left_weight = sides.counts.left_weight;
        best_.right_weight = sides.counts.right_weight;
        best_.feature = input_.feature;
        best_.valid = true;
        best_.missing_right = missing_right;
    }

    StatisticsLayout layout_;
    BinSweepInput input_;
    bool has_missing_;
    bool any_ = false;
    std::uint32_t first_code_ = 0;
    std::uint32_t last_code_ = 0;
    Sides sides_;
    Sides sides_missing_left_;
    BestScore score_;
    SplitCandidate best_;
};

}  // namespace regrove::train
