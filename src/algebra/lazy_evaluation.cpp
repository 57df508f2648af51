// Feature by feature over a few hundred rows at once, with the rows where each monomial may still hold as bits.
#include "regrove/algebra/lazy_evaluation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <mutex>

#include "regrove/algebra/fixed_point.hpp"
#include "regrove/core/parallel.hpp"

#include "condition_bits.hpp"

namespace regrove::algebra {

namespace {

/// Words of rows that go through all features together: 64 bytes a monomial.
constexpr std::size_t k_words = 8;
constexpr std::size_t k_rows = 64 * k_words;
static_assert(k_block_words % k_words == 0);

/// A monomial's part in a feature's turn.
struct Turn {
    std::uint32_t monomial = 0;
    std::uint32_t first = 0;  ///< its conditions on the feature: ids [first, end) of the list
    std::uint32_t end = 0;
    bool last = false;  ///< none of its features comes later
};

/// What each feature's turn is about, in the order of features.
struct Schedule {
    std::vector<FeatureId> order;
    std::vector<std::vector<Turn>> turns;
};

Schedule schedule_of(const Polynomial& polynomial, const LazyOptions& options) {
    Schedule schedule;
    schedule.order = lazy_order(polynomial, options);
    std::vector<std::size_t> turn_of(polynomial.frame.features.size(), 0);
    for (std::size_t i = 0; i < schedule.order.size(); ++i) turn_of[index(schedule.order[i])] = i;
    schedule.turns.resize(schedule.order.size());
    for (std::size_t m = 0; m < polynomial.size(); ++m) {
        std::size_t latest = 0;
        for (const ConditionId id : polynomial.monomial(m))
            latest = std::max(latest, turn_of[index(polynomial.conditions[id].feature)]);
        for (std::uint64_t at = polynomial.first[m]; at < polynomial.first[m + 1];) {
            const FeatureId feature = polynomial.conditions[polynomial.ids[at]].feature;
            std::uint64_t end = at;
            while (end < polynomial.first[m + 1] && polynomial.conditions[polynomial.ids[end]].feature == feature)
                ++end;
            const std::size_t turn = turn_of[index(feature)];
            schedule.turns[turn].push_back({static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(at),
                                            static_cast<std::uint32_t>(end), turn == latest});
            at = end;
        }
    }
    return schedule;
}

/// For each feature, |coefficient| of the first score over all monomials with a condition on it.
std::vector<double> weights_of_features(const Polynomial& polynomial) {
    std::vector<double> weights(polynomial.frame.features.size(), 0);
    for (std::size_t m = 0; m < polynomial.size(); ++m) {
        const double weight = std::abs(to_double(polynomial.coefficient(m)[0], polynomial.unit_exponent));
        FeatureId last = k_no_feature;
        for (const ConditionId id : polynomial.monomial(m)) {
            const FeatureId feature = polynomial.conditions[id].feature;
            if (feature != last) weights[index(feature)] += weight;
            last = feature;
        }
    }
    return weights;
}

/// What is known of a row's score: it is at least `low` and at most `high`.
struct ScoreRange {
    Int128 low = 0;
    Int128 high = 0;
};

/// The largest whole number of units that is not above `score`.
Int128 units_below(double score, const Polynomial& polynomial) {
    Int128 units = to_fixed(score * polynomial.divisor, polynomial.unit_exponent);
    if (to_double(units, polynomial.unit_exponent) > score * polynomial.divisor) --units;
    return units;
}

class LazyBlock {
  public:
    LazyBlock(const Polynomial& polynomial, const Schedule& schedule, const LazyOptions& options)
        : polynomial_(polynomial),
          schedule_(schedule),
          decides_(options.decide_at.has_value()),
          conditions_(polynomial.conditions),
          alive_(polynomial.size() * k_words),
          asked_(polynomial.frame.features.size(), 0) {
        if (decides_) cut_ = units_below(*options.decide_at, polynomial);
        for (std::size_t m = 0; m < polynomial.size() && decides_; ++m) add_to_start(polynomial.coefficient(m)[0], m);
    }

    /// Rows [begin, end) of the shard, at most k_block_rows; their decisions go to `above`.
    void run(const infer::Binding& binding, const data::TableShard& shard, std::size_t begin, std::size_t end,
             std::uint8_t* above) {
        conditions_.fill(binding, shard, begin, end);
        for (std::size_t offset = 0; offset < end - begin; offset += k_rows)
            run_rows(offset / 64, std::min(k_rows, end - begin - offset), above + offset);
    }
    const std::vector<std::uint64_t>& asked() const { return asked_; }

  private:
    using Words = std::array<std::uint64_t, k_words>;

    void add_to_start(Int128 number, std::size_t m) {
        const bool constant = polynomial_.is_constant(m);
        start_.low = add_exactly(start_.low, constant ? number : std::min<Int128>(number, 0));
        start_.high = add_exactly(start_.high, constant ? number : std::max<Int128>(number, 0));
    }

    void run_rows(std::size_t first_word, std::size_t rows, std::uint8_t* above) {
        std::ranges::fill(alive_, ~std::uint64_t{0});
        Words open{};
        for (std::size_t word = 0; word < k_words; ++word) {
            const std::size_t left = rows - std::min(rows, word * 64);
            open[word] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        }
        ranges_.fill(start_);
        if (decides_ && is_settled(start_)) open = {};
        for (std::size_t turn = 0; turn < schedule_.turns.size(); ++turn) ask(turn, first_word, open);
        for (std::size_t row = 0; row < rows && decides_; ++row) above[row] = ranges_[row].low > cut_ ? 1 : 0;
    }

    /// Asks for the feature where it can matter, and closes the rows that it settles.
    void ask(std::size_t turn, std::size_t first_word, Words& open) {
        Words need{};
        for (const Turn& of : schedule_.turns[turn])
            for (std::size_t word = 0; word < k_words; ++word)
                need[word] |= alive_[of.monomial * k_words + word] & open[word];
        std::uint64_t count = 0;
        for (const std::uint64_t word : need) count += static_cast<std::uint64_t>(std::popcount(word));
        if (count == 0) return;
        asked_[index(schedule_.order[turn])] += count;
        for (const Turn& of : schedule_.turns[turn]) learn(of, first_word, open);
        if (!decides_) return;
        for (std::size_t word = 0; word < k_words; ++word)
            for (std::uint64_t rows = need[word]; rows != 0; rows &= rows - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(rows));
                if (is_settled(ranges_[word * 64 + bit])) open[word] &= ~(std::uint64_t{1} << bit);
            }
    }

    void learn(const Turn& of, std::size_t first_word, const Words& open) {
        std::uint64_t* const alive = alive_.data() + std::size_t{of.monomial} * k_words;
        for (std::size_t word = 0; word < k_words; ++word) {
            const std::uint64_t before = alive[word] & open[word];
            std::uint64_t after = before;
            for (std::uint32_t at = of.first; at < of.end; ++at)
                after &= conditions_.of(polynomial_.ids[at])[first_word + word];
            alive[word] = after;
            if (!decides_) continue;
            const Int128 number = polynomial_.coefficient(of.monomial)[0];
            narrow(before & ~after, word, number, number < 0);
            if (of.last) narrow(after, word, number, number > 0);
        }
    }

    /// For each of the rows, a number that stood in one end of the range only goes from it, or comes to the other.
    void narrow(std::uint64_t rows, std::size_t word, Int128 number, bool low) {
        const bool comes = (number > 0) == low;
        for (; rows != 0; rows &= rows - 1) {
            ScoreRange& range = ranges_[word * 64 + static_cast<std::size_t>(std::countr_zero(rows))];
            Int128& end = low ? range.low : range.high;
            end = comes ? end + number : end - number;
        }
    }

    bool is_settled(const ScoreRange& range) const { return range.low > cut_ || range.high <= cut_; }

    const Polynomial& polynomial_;
    const Schedule& schedule_;
    bool decides_;
    Int128 cut_ = 0;
    ScoreRange start_;
    ConditionBits conditions_;
    std::vector<std::uint64_t> alive_;  ///< a monomial: the rows where none of its conditions is known not to hold
    std::array<ScoreRange, k_rows> ranges_{};
    std::vector<std::uint64_t> asked_;
};

}  // namespace

std::vector<FeatureId> lazy_order(const Polynomial& polynomial, const LazyOptions& options) {
    std::vector<double> keys = options.feature_costs;
    if (options.decide_at) {
        const std::vector<double> weights = weights_of_features(polynomial);
        for (std::size_t f = 0; f < keys.size(); ++f) keys[f] = weights[f] > 0 ? keys[f] / weights[f] : keys[f];
    }
    std::vector<FeatureId> order;
    for (const Condition& condition : polynomial.conditions.all())
        if (order.empty() || order.back() != condition.feature) order.push_back(condition.feature);
    std::ranges::stable_sort(order, {}, [&](FeatureId feature) { return keys[index(feature)]; });
    return order;
}

LazyAnswers evaluate_lazily(const Polynomial& polynomial, const infer::Binding& binding,
                            const data::TableShard& shard, const LazyOptions& options) {
    const Schedule schedule = schedule_of(polynomial, options);
    LazyAnswers answers;
    answers.asked.assign(polynomial.frame.features.size(), 0);
    answers.above.assign(shard.rows, 0);
    const std::size_t blocks = (shard.rows + k_block_rows - 1) / k_block_rows;
    const std::size_t stripes = std::min<std::size_t>(blocks, thread_count());
    std::mutex joining;
    parallel_for(stripes, [&](std::size_t stripe) {
        LazyBlock block(polynomial, schedule, options);
        for (std::size_t b = stripe; b < blocks; b += stripes) {
            const std::size_t begin = b * k_block_rows;
            block.run(binding, shard, begin, std::min<std::size_t>(begin + k_block_rows, shard.rows),
                      answers.above.data() + begin);
        }
        const std::scoped_lock lock(joining);
        for (std::size_t f = 0; f < answers.asked.size(); ++f) answers.asked[f] += block.asked()[f];
    });
    return answers;
}

}  // namespace regrove::algebra
