#include "regrove/train/numeric_sweep.hpp"

#include <bit>
#include <cmath>

#include "regrove/core/check.hpp"
#include "regrove/train/side_statistics.hpp"

namespace regrove::train {

int class_bits(const StatisticsLayout& layout) {
    return layout.regression() ? 0 : std::bit_width(layout.classes - 1U);
}

bool precedes(const SplitCandidate& x, const SplitCandidate& y) {
    if (x.valid != y.valid) return x.valid;
    if (!x.valid) return false;
    const auto order = compare(x.score, y.score);
    if (order != 0) return order > 0;
    if (x.feature != y.feature) return x.feature < y.feature;
    return x.code < y.code;
}

void merge_candidate(SplitCandidate& into, const SplitCandidate& from) {
    if (!from.valid) return;
    if (!into.valid) {
        into = from;
        return;
    }
    if (precedes(from, into)) into = from;
}

namespace {

/// Approximate scores this close are compared exactly; the approximation errs by less than a tenth of it.
constexpr double k_margin = 0x1p-46;

/// Sides, and the second copy of them in which the rows without a value count left.
template <class Sides>
struct SlotState {
    Sides sides;
    Sides sides_missing_left;
    SplitCandidate best;
    double best_low = 0;  ///< below: surely worse than the best; above best_high: surely better
    double best_high = 0;
    std::uint64_t last_position = 0;
    std::uint32_t last_code = 0;
    std::uint32_t epoch = 0;  ///< counts the bests, so that ties with an earlier one are dropped
    bool any = false;
    bool has_missing = false;
};

template <class Sides, bool k_weighted, bool k_regression>
class SweepOf final : public NumericSweep {
  public:
    SweepOf(const StatisticsLayout& layout, const EntropyTerms& entropy, const SweepInput& input)
        : layout_(layout), input_(input), class_bits_(class_bits(layout)), states_(input.slots) {
        const std::size_t width = layout.size();
        if (Sides::k_counts) counters_.resize(std::size_t{4} * layout.classes * input.slots);
        const std::vector<std::int64_t> zeros(width, 0);
        std::vector<std::int64_t> left(width);
        std::vector<std::int64_t> right(width);
        for (std::uint32_t slot = 0; slot < input.slots; ++slot) {
            const Statistics before = input.before.empty() ? Statistics(zeros) : at(input.before, slot);
            const Statistics missing = input.missing.empty() ? Statistics(zeros) : at(input.missing, slot);
            const Statistics valued = at(input.valued, slot);
            SlotState<Sides>& state = states_[slot];
            state.has_missing = rows(layout, missing) != 0 && !input.parent_term_of_valued;
            for (std::size_t i = 0; i < width; ++i) {
                left[i] = before[i];
                right[i] = valued[i] - before[i] + (state.has_missing ? missing[i] : 0);
            }
            state.sides.start(layout, left, right, counters(slot, 0), entropy);
            if (!state.has_missing) continue;
            for (std::size_t i = 0; i < width; ++i) {
                left[i] += missing[i];
                right[i] -= missing[i];
            }
            state.sides_missing_left.start(layout, left, right, counters(slot, 1), entropy);
        }
    }

    void consume(const EntryBlock& block) override {
        const std::uint32_t class_mask = (1U << class_bits_) - 1U;
        for (std::size_t i = 0; i < block.count; ++i) {
            const std::uint32_t key = block.keys[i];
            if (key == k_closed_key) continue;
            SlotState<Sides>& state = states_[key >> class_bits_];
            const std::uint32_t code = block.codes[i];
            const std::uint64_t position = block.first_position + i;
            if (state.any && code != state.last_code) take(state, {input_.rank, position});
            const std::int64_t weight = k_weighted ? block.weights[i] : 1;
            const std::int64_t target = k_regression ? block.targets[i] : static_cast<std::int64_t>(key & class_mask);
            state.sides.move(target, weight);
            if (state.has_missing) [[unlikely]]
                state.sides_missing_left.move(target, weight);
            state.any = true;
            state.last_code = code;
            state.last_position = position;
        }
    }

    SweepResult finish() override {
        SweepResult result;
        result.best.reserve(input_.slots);
        for (std::uint32_t slot = 0; slot < input_.slots; ++slot) {
            SlotState<Sides>& state = states_[slot];
            finish_slot(state, slot);
            result.best.push_back(state.best);
        }
        for (auto& tie : ties_) {
            const SlotState<Sides>& state = states_[tie.tied.slot];
            if (tie.epoch == state.epoch) result.ties.push_back(tie.tied);
        }
        return result;
    }

  private:
    struct Tie {
        std::uint32_t epoch;
        TiedCandidate tied;
    };

    Statistics at(std::span<const std::int64_t> all, std::uint32_t slot) const {
        return all.subspan(slot * layout_.size(), layout_.size());
    }
    std::int64_t* counters(std::uint32_t slot, int copy) {
        return Sides::k_counts ? counters_.data() + (std::size_t{4} * slot + 2U * copy) * layout_.classes : nullptr;
    }

    /// After the last entry: the candidate that ends at the run's end, and the question "has no value".
    void finish_slot(SlotState<Sides>& state, std::uint32_t slot) {
        const NextValue next = input_.next.empty() ? NextValue{} : input_.next[slot];
        if (!state.any) return;
        if (next.place.holder >= 0) {
            if (next.code != input_.first_code + state.last_code) take(state, next.place);
        } else if (input_.missing_as_question && state.has_missing) {
            consider(state, state.sides, {}, true);
        }
    }

    /// The candidate between the last value seen and the one at `right`; of the two places for rows without a value
    /// the better one, left when equal.
    void take(SlotState<Sides>& state, const RunPlace& right) {
        if (!state.has_missing) {
            consider(state, state.sides, right, false);
            return;
        }
        const bool left_allowed = state.sides_missing_left.counts.allowed(input_.min_rows_leaf);
        const bool right_allowed = state.sides.counts.allowed(input_.min_rows_leaf);
        if (left_allowed && (!right_allowed || compare(state.sides_missing_left.exact(), state.sides.exact()) >= 0)) {
            consider(state, state.sides_missing_left, right, false);
        } else if (right_allowed) {
            consider(state, state.sides, right, true);
        }
    }

    void consider(SlotState<Sides>& state, const Sides& sides, const RunPlace& right, bool missing_right) {
        if (!sides.counts.allowed(input_.min_rows_leaf)) return;
        const double approximate = sides.approximate();
        if (state.best.valid && approximate < state.best_low) return;
        const ExactScore exact = sides.exact();
        auto order = std::strong_ordering::greater;
        if (state.best.valid && approximate <= state.best_high) order = compare(exact, state.best.score);
        if (order < 0) return;
        SplitCandidate candidate;
        candidate.score = exact;
        candidate.code = input_.first_code + state.last_code;
        candidate.left_end = {input_.rank, state.last_position};
        candidate.right_begin = right;
        candidate.feature = input_.feature;
        candidate.valid = true;
        candidate.missing_right = missing_right;
        candidate.left_weight = sides.counts.left_weight;
        candidate.right_weight = sides.counts.right_weight;
        candidate.reversed = agrees_reversed(sides);
        if (order == 0) {
            // Thresholds rise during the sweep, so the best one stays the first.
            const auto slot = static_cast<std::uint32_t>(&state - states_.data());
            ties_.push_back({state.epoch, {slot, candidate}});
            return;
        }
        state.best = candidate;
        state.epoch += 1;
        const double margin = std::fabs(approximate) * k_margin;
        state.best_low = approximate - margin;
        state.best_high = approximate + margin;
    }

    StatisticsLayout layout_;
    SweepInput input_;
    int class_bits_;
    std::vector<SlotState<Sides>> states_;
    std::vector<std::int64_t> counters_;
    std::vector<Tie> ties_;
};

template <class Sides, bool k_regression>
std::unique_ptr<NumericSweep> make(bool weighted, const StatisticsLayout& layout, const EntropyTerms& entropy,
                                   const SweepInput& input) {
    if (weighted) return std::make_unique<SweepOf<Sides, true, k_regression>>(layout, entropy, input);
    return std::make_unique<SweepOf<Sides, false, k_regression>>(layout, entropy, input);
}

/// Sums of squared counts of a node with fewer than 2^31 rows.
bool squares_fit_64_bits(const StatisticsLayout& layout, const SweepInput& input) {
    constexpr std::int64_t k_most_rows = std::int64_t{1} << 31U;
    for (std::uint32_t slot = 0; slot < input.slots; ++slot) {
        std::int64_t node_rows = input.valued[slot * layout.size() + layout.rows_at()];
        if (!input.missing.empty()) node_rows += input.missing[slot * layout.size() + layout.rows_at()];
        if (node_rows >= k_most_rows) return false;
    }
    return true;
}

}  // namespace

std::unique_ptr<NumericSweep> make_numeric_sweep(const StatisticsLayout& layout, Criterion criterion, bool weighted,
                                                 const EntropyTerms& entropy, const SweepInput& input) {
    switch (criterion) {
        case Criterion::squared_error:
            return make<SquaredErrorSides, true>(weighted, layout, entropy, input);
        case Criterion::entropy:
            return make<EntropySides, false>(weighted, layout, entropy, input);
        case Criterion::agreement:
            return make<AgreementSides, false>(weighted, layout, entropy, input);
        case Criterion::gini:
            if (weighted) return std::make_unique<SweepOf<GiniSides<Int128>, true, false>>(layout, entropy, input);
            if (!squares_fit_64_bits(layout, input)) {
                return std::make_unique<SweepOf<GiniSides<Int128>, false, false>>(layout, entropy, input);
            }
            return std::make_unique<SweepOf<GiniSides<std::uint64_t>, false, false>>(layout, entropy, input);
        case Criterion::automatic:
            break;
    }
    throw InternalError("no sweep for this criterion");
}

}  // namespace regrove::train
